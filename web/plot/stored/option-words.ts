/** Returns the words of an option in capitals, without those about position. */
export const wordsOf = (option: string): string =>
  option.toUpperCase().replace(/SAMES?|PLC|PMC|PFC|AXIS|NOSTACKB?|NOSTACK/g, ' ');

/** Whether an option asks for error bars. */
export function asksForErrors(option: string): boolean {
  return /E/.test(wordsOf(option).replace(/TEXT|CANDLE|LEGO/g, ''));
}

/** Whether an option leaves out the error bars of a histogram that has its own: HIST without E. */
export function hidesErrors(option: string): boolean {
  return /HIST/.test(wordsOf(option)) && !asksForErrors(option);
}
