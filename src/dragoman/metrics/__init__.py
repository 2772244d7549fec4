"""Rankings and judgments -> measures, confidence intervals and tests."""
