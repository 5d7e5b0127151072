"""The sources of the methods, as BibTeX."""

ENTRIES = {
    "truerank": """@software{truerank,
  author = {{Truerank contributors}},
  title = {Truerank: which recommender metric to trust, and what a sampled metric would have been on the full
    catalogue},
  note = {Version VERSION}
}""",
    "valcarce2018": """@inproceedings{valcarce2018,
  author = {Valcarce, Daniel and Bellog{\\'i}n, Alejandro and Parapar, Javier and Castells, Pablo},
  title = {On the Robustness and Discriminative Power of Information Retrieval Metrics for Top-N Recommendation},
  booktitle = {Proceedings of the 12th ACM Conference on Recommender Systems (RecSys '18)},
  year = {2018},
  doi = {10.1145/3240323.3240347}
}""",
    "holm1979": """@article{holm1979,
  author = {Holm, Sture},
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  number = {2},
  pages = {65--70},
  year = {1979}
}""",
    "krichene2020": """@inproceedings{krichene2020,
  author = {Krichene, Walid and Rendle, Steffen},
  title = {On Sampled Metrics for Item Recommendation},
  booktitle = {Proceedings of the 26th ACM SIGKDD Conference on Knowledge Discovery and Data Mining (KDD '20)},
  year = {2020},
  doi = {10.1145/3394486.3403226}
}""",
    "li2024": """@article{li2024,
  author = {Li, Dong and Jin, Ruoming and Liu, Zhenming and Ren, Bin and Gao, Jing and Liu, Zhi},
  title = {On Item-Sampling Evaluation for Recommender System},
  journal = {ACM Transactions on Recommender Systems},
  volume = {2},
  number = {1},
  year = {2024},
  doi = {10.1145/3629171}
}""",
    "aftab2022": """@article{aftab2022,
  author = {Aftab, Sofia and Ramampiaro, Heri},
  title = {Evaluating Top-N Recommendations Using Ranked Error Approach: An Empirical Analysis},
  journal = {IEEE Access},
  year = {2022},
  doi = {10.1109/ACCESS.2022.3159646}
}""",
}
