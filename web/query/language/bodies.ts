/**
 * Bodies of functions and methods are in C, so these names mean the functions of C. The TFormula functions
 * with the same names have other rules for arguments outside of their domains.
 */
const OF_C = /(?<![\w:.])(exp|log|sqrt|asin|acos)\(/g;

/** Replaces the names of C functions in a body by the names that expressions use for them. */
export function ofC(body: string): string {
  const names: Record<string, string> = { exp: 'Exp', log: 'Log', sqrt: 'Sqrt', asin: 'ASin', acos: 'ACos' };
  return body.replace(OF_C, (_, name: string) => `TMath::${names[name]}(`);
}
