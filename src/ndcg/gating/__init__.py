"""Gates: budgets for measures, judged against a baseline, with reasons."""
