import { storedAddress, storedText } from '../../../io/signatures';
import { formatLayers, type LayerSpec, parseLayers } from '../../../plot/layers/layer-spec';
import { LOCAL } from '../plot-state';
import { formatPageState, type PageState, parsePageState } from './url-state';

// The address of the page names files. It is seen by a server and stored by the browser, so it must not give access
// to files: signatures and tokens are removed. An address with a query, which may contain other secrets, goes after
// "#", which is not sent to any server.

/** The parameter of a view that is the address of another file. */
export const REFERENCE = 'reference';

const MARK = '#?';
/** Servers refuse addresses longer than some kB. A longer state also goes after "#". */
const MAX_QUERY = 2000;

/** Returns the state that an address of the page requests. */
export function askedState({ search, hash }: Pick<Location, 'search' | 'hash'>): PageState {
  return parsePageState(hash.startsWith(MARK) ? hash.slice(1) : search);
}

/** Returns the page's address for this state, without signatures, as it is stored and sent. */
export function addressOf(state: PageState): string {
  return withState(publicState(state));
}

/** Returns the query of a state for storage, without the file: what a link shows of it, without secrets. */
export function storedQuery(state: PageState): string {
  const { url: _, also: __, align: ___, ...shown } = publicState(state);
  return formatPageState({ ...shown, layers: formatLayers(layersOf(shown)) });
}

/** Returns the state without signatures, tokens and passwords, so that it may be stored. */
function publicState(state: PageState): PageState {
  return {
    ...state,
    ...(state.url && { url: storedAddress(state.url) }),
    ...(state.layers && { layers: storedLayers(state.layers) }),
    ...(state.steps && { steps: storedText(state.steps) }),
    ...(state.also && { also: state.also.split(' ').filter(Boolean).map(storedAddress).join(' ') }),
    ...(state.show && { show: storedShow(state.show) }),
  };
}

/**
 * Returns the state of a view for storage: addresses in it, for example of the reference of a wall, lose their
 * secrets.
 */
export function storedShow(show: string): string {
  const fields = [...new URLSearchParams(show)];
  const stored = fields.map(([name, value]) => [
    name,
    name === REFERENCE ? storedAddress(value) : storedText(value),
  ]);
  const isSame = fields.every(([, value], i) => value === stored[i]?.[1]);
  return isSame ? show : new URLSearchParams(stored).toString();
}

/** Returns the text of layers without secrets, for storage. Invalid texts are handled, too. */
export function storedLayers(text: string): string {
  try {
    return formatLayers(parseLayers(text).map(publicLayer));
  } catch {
    return storedText(text);
  }
}

/** Returns a link that opens this state for anyone who has it: with signatures, which no server sees. */
export function linkOf(state: PageState): string {
  return withState(state);
}

function withState(state: PageState): string {
  const { origin, pathname, hash } = location;
  const layers = layersOf(state);
  const query = formatPageState({ ...state, layers: formatLayers(layers) });
  const shown = [...new URLSearchParams(state.show)].map(([, value]) => value);
  const files = shown.filter((value) => value.includes('://'));
  const named = [state.url, state.also, state.steps, ...layers.map(({ src }) => src), ...files];
  if (query.length > MAX_QUERY || named.some((address) => address?.includes('?')))
    return `${origin}${pathname}#${query}`;
  return origin + pathname + query + (hash.startsWith(MARK) ? '' : hash);
}

/** Returns the layers that a link can name, without layers of local files; an empty list if the text does not describe layers. */
function layersOf({ layers }: PageState): LayerSpec[] {
  try {
    return layers ? parseLayers(layers).filter(({ src }) => !src?.startsWith(LOCAL)) : [];
  } catch {
    return [];
  }
}

function publicLayer(layer: LayerSpec): LayerSpec {
  return layer.src === undefined ? layer : { ...layer, src: storedAddress(layer.src) };
}
