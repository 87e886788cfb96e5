import { useEffect, useState } from 'preact/hooks';
import type { ViewerStore } from '../state/viewer-state';

/** Returns the theme that is shown: the chosen one, or that of the system. */
export function useTheme(store: ViewerStore): 'light' | 'dark' {
  const [systemDark, setSystemDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setSystemDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const chosen = store.theme.value;
  return chosen === 'system' ? (systemDark ? 'dark' : 'light') : chosen;
}
