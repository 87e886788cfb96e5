import type { ClassInfo, FileInfo, KeyInfo, MemberInfo } from '../../web/api/api';
import type { FileRecords } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';

export function fileInfo(id: number, name: string): FileInfo {
  return {
    id,
    name,
    title: '',
    size: 2_412_345_678,
    rootVersion: '6.32/04',
    compression: 'zstd 5',
    created: '2024-05-14T11:02:48',
    modified: '2024-05-14T11:21:05',
    uuid: '0e2b9b1c-1204-11ef-9a5e-0242ac110002',
    notes: ['Never closed properly: 2 keys were recovered by walking the records.'],
  };
}

export function mockRecords(): FileRecords {
  const { size } = fileInfo(0, 'mock.root');
  const records: FileRecords['records'] = [
    { kind: 'header', offset: 0, length: 100, name: 'file header', className: '' },
    { kind: 'directory', offset: 100, length: 100, name: '/', className: 'TFile' },
  ];
  return { size, end: size, records, notes: [] };
}

export function mockKeys(): KeyInfo[] {
  let offset = 246;
  const key = (path: string, className: string, kind: KeyInfo['kind'], title = '', cycle = 1): KeyInfo => {
    offset += 1000;
    return {
      path,
      name: path.split('/').pop() ?? path,
      title,
      className,
      cycle,
      kind,
      storedBytes: 820 + path.length * 37,
      objectBytes: 2480,
      offset,
    };
  };
  return [
    key('Events', 'TTree', 'tree', 'Collision events', 2),
    key('Events', 'TTree', 'tree', 'Collision events', 1),
    key('histograms', 'TDirectory', 'directory', 'Control plots'),
    key('histograms/muons', 'TDirectory', 'directory', 'Muon control plots'),
    key('histograms/muons/pt', 'TH1F', 'histogram', 'Transverse momentum'),
    key('histograms/muons/mass', 'TH1D', 'histogram', 'Di-muon mass, weighted'),
    key('histograms/response', 'TProfile', 'histogram', 'Response'),
    key('histograms/correlation', 'TH2F', 'histogram', 'Correlation'),
    key('metadata', 'TDirectory', 'directory', 'How it was made'),
    key('metadata/<img src=x onerror=alert(1)>', 'TNamed', 'object', '<b>not bold</b>'),
    key('metadata/settings', 'TList', 'object', 'Settings of the job'),
    key('decays', 'TTree', 'tree', 'B decays'),
  ];
}

export function brokenError(): XylemError {
  return new XylemError({
    code: 'CHECKSUM',
    message: 'Basket 3 of branch broken does not match its checksum: stored 0x1f2e3d4c, computed 0x00c0ffee.',
    fix: 'The file was damaged on its way or on disk: fetch it again, or read other branches.',
    where: {
      url: 'https://example.org/mock.root',
      path: 'Events/broken',
      offset: 812_331,
      length: 40_112,
      breadcrumbs: ['Events', 'broken', 'basket 3'],
    },
  });
}

export function mockClasses(): ClassInfo[] {
  const element = (
    name: string,
    typeName: string,
    type: number,
    rest: Partial<MemberInfo> = {},
  ): MemberInfo => ({
    name,
    title: '',
    typeName,
    type,
    dimensions: [],
    counter: '',
    base: false,
    ...rest,
  });
  const base = (name: string, baseVersion: number): MemberInfo =>
    element(name, name, 0, { base: true, baseVersion });
  return [
    {
      name: 'TNamed',
      version: 1,
      checksum: 0xdfb74a3c,
      elements: [
        base('TObject', 1),
        element('fName', 'TString', 65, { title: 'object identifier' }),
        element('fTitle', 'TString', 65, { title: '<b>object title</b>' }),
      ],
    },
    {
      name: 'TObject',
      version: 1,
      checksum: 0x901bc02d,
      elements: [
        element('fUniqueID', 'unsigned int', 13, { title: 'object unique identifier' }),
        element('fBits', 'unsigned int', 15, { title: 'bit field status word' }),
      ],
    },
    {
      name: 'Track',
      version: 2,
      checksum: 0x12345678,
      elements: [
        base('TNamed', 1),
        element('nHits', 'int', 6, { title: 'number of hits' }),
        element('charge', 'float*', 45, { title: '[nHits] of each hit', counter: 'nHits' }),
        element('covariance', 'double', 28, { dimensions: [3, 3] }),
        element('vertices', 'vector<Vertex>', 300, { title: 'where it may have come from' }),
      ],
    },
    { name: 'Track', version: 1, checksum: 0x1234, elements: [element('nHits', 'int', 3)] },
  ];
}
