/** Returns a condition on an entry as a whole: at least one element of its lists passes. */
export const passes = (cut: string): string => `(Sum$((${cut})!=0)>0)`;
