// How results of the search are ordered: pages, then sections, functions and options.
const Scorer = {
  objNameMatch: 4,
  objPartialMatch: 2,
  objPrio: {0: 4, 1: 2, 2: 0},
  objPrioDefault: 0,
  title: 40,
  partialTitle: 20,
  term: 5,
  partialTerm: 2,
};
