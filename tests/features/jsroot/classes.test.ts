import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsroot } from '../../../web/features/page';
import { isDrawing } from '../../../web/ui/contents/classes';
import { createViewerStore } from '../../../web/ui/state/store';
import { createMockReader } from '../../mock-reader';

/** Whether a page with a place for JSROOT offers it for an object of a class. */
function isOffered(className: string, place: string | undefined = 'frame.html'): boolean | undefined {
  const store = createViewerStore(createMockReader({}), { jsroot: place });
  const object = { _typename: className };
  const asked = { store, object, name: '', isDrawing: isDrawing(className), theme: 'light' as const };
  return jsroot.slots?.object?.jsroot?.when?.(asked);
}

describe('JSROOT', () => {
  // Its table of drawings: the names of classes that it has no drawing for are given out as dummies or as folders.
  const table = readFileSync(
    join(import.meta.dirname, '../../../node_modules/jsroot/modules/draw.mjs'),
    'utf8',
  );
  const constants = readFileSync(
    join(import.meta.dirname, '../../../node_modules/jsroot/modules/core.mjs'),
    'utf8',
  );
  const named = new Map(
    [...constants.matchAll(/\b(cl\w+) = '(\w+)'/g)].map(([, name = '', text = '']) => [name, text]),
  );
  const known = [...table.matchAll(/\{ name: (?:'([\w:]+)'|\/\^(\w+)\/|(cl\w+)),/g)].map(
    ([, text, start, constant]) => ({ text: text ?? named.get(constant ?? ''), start }),
  );

  it.each([
    'TCanvas',
    'TH3F',
    'THStack',
    'TMultiGraph',
    'TGraph2D',
    'TEfficiency',
    'TGeoManager',
    'TH2Poly',
    'TProfile3D',
    'TF3',
    'TLatex',
    'TPaveText',
    'TLine',
    'TArc',
    'TPolyLine',
    'TGaxis',
    'RooPlot',
    'TScatter',
    'TASImage',
  ])('is offered for %s, which is in its table', (name) => {
    expect(isOffered(name)).toBe(true);
    expect(known.some(({ text, start }) => text === name || (start && name.startsWith(start)))).toBe(true);
  });

  it.each([
    'RooWorkspace',
    'RooFitResult',
    'TMacro',
    'TObjString',
    'TParameter<double>',
    'TNamed',
    'TGraphNode',
    'TMatrixT<double>',
    'TList',
    'TProcessID',
    'TStyle',
    'MyOwnClass',
    'TGraphStruct',
  ])('is not offered for %s', (name) => {
    expect(isOffered(name)).toBe(false);
  });
});
