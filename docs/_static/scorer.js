// How results of the search are ordered: pages, then sections, functions and options.
const Scorer = {
  objNameMatch: 2,
  objPartialMatch: 1,
  objPrio: {0: 2, 1: 1, 2: 0},
  objPrioDefault: 0,
  title: 40,
  partialTitle: 20,
  term: 5,
  partialTerm: 2,
};
