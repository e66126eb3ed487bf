"""How Chinese amounts, rates, terms and dates are said, read and compared; pinyin."""
