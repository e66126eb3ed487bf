"""Makes the B recording of a pair from the edited plan."""
