/** Words of TFormula that have no value here: the reason, and the text to write instead. */
const WORDS: Readonly<Record<string, [message: string, fix: string]>> = {
  gaus: ['is a function with parameters, which a tree does not have', 'Write TMath::Gaus(x, mean, sigma).'],
  landau: [
    'is a function with parameters, which a tree does not have',
    'Write TMath::Landau(x, mpv, sigma).',
  ],
  gRandom: ['gives other numbers each time, so that the result could not be repeated', 'Write rndm.'],
  expo: ['is a function with parameters, which a tree does not have', 'Write exp(a + b*x).'],
};

/** Returns the message for such a word; undefined for all other names. */
export function formulaWord(name: string): { message: string; fix: string } | undefined {
  const found = Object.hasOwn(WORDS, name) && WORDS[name];
  return found ? { message: `"${name}" ${found[0]}.`, fix: found[1] } : undefined;
}
