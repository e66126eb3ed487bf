"""What makes a decision chain legal (spec, sections 1 and 5); below the steps, so that each of them may ask."""
