/** Returns names of files, without those parts that lead to other folders. No two are equal, also where case does not count. */
export function fileNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const parts = name.split('/').map((part) => part.replaceAll(/[^\w.+-]/g, '_').replace(/^\.*$/, '_'));
    const plain = parts.join('/');
    let file = plain;
    for (let i = 2; used.has(file.toLowerCase()); i++) file = `${plain}-${i}`;
    used.add(file.toLowerCase());
    return file;
  });
}
