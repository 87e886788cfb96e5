/** Gives a text to the browser as a file to save; what is no good in a file name becomes "_". */
export function saveText(name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[^\w.-]+/g, '_').slice(-100);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
