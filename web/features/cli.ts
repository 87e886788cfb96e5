// One entry for each feature that has verbs or commands. Entries load code only when it is used.
import type { CliPart } from '../cli/part';

export const calc: CliPart = {
  commands: {
    calc: {
      summary: 'arithmetic of histograms: sums, ratios, projections, backgrounds, as ROOT has them',
      group: 'read',
      elsewhere: ['divide', 'subtract', 'rebin', 'project', 'efficiency'],
      load: async () => (await import('./calc/cli/calc')).calc,
    },
  },
};

export const chains: CliPart = {
  verbs: {
    plan: {
      summary: 'cuts thousands of files into tasks of equal size, each a command line',
      group: 'many',
      elsewhere: ['split', 'jobs'],
      load: async () => (await import('./chains/plan')).plan,
    },
  },
  commands: {
    combine: {
      summary: 'adds partial results of draw, of any number of files and processes',
      group: 'many',
      load: async () => (await import('./chains/cli/combine')).combineCommand(),
    },
    worker: {
      summary:
        'a process that runs the command lines which another program sends: one for each core of a farm',
      group: 'many',
      elsewhere: ['daemon', 'executor'],
      load: async () => (await import('./chains/cli/worker')).workerCommand,
    },
  },
  forms: {
    check: async () => (await import('./chains/cli/forms')).checkMany,
    draw: async () => (await import('./chains/cli/forms')).drawMany,
    scan: async () => (await import('./chains/cli/forms')).scanMany,
    summary: async () => (await import('./chains/cli/forms')).summaryMany,
  },
  calls: {
    histogramOfPartials: async () => (await import('./chains/cli/partial-histogram')).histogramOfPartials,
  },
};

export const corrections: CliPart = {
  verbs: {
    corrections: {
      summary: 'scale factors of correctionlib: what a file has, and their values',
      group: 'read',
      elsewhere: ['correction', 'correctionlib', 'sf'],
      load: async () => (await import('./corrections/verb')).corrections,
    },
  },
};

export const cutflow: CliPart = {
  partials: { cutflow: async () => (await import('./cutflow/cli/many')).cutflowForm },
  verbs: {
    cutflow: {
      summary: 'entries left after each of several cuts, with efficiencies, and what each removes (N-1)',
      group: 'read',
      elsewhere: ['cuts', 'report'],
      load: async () => (await import('./cutflow/verb')).cutflow,
    },
  },
  forms: { cutflow: async () => (await import('./cutflow/cli/many')).cutflowMany },
};

export const dataset: CliPart = {
  verbs: {
    dataset: {
      summary: 'whether many files fit together: entries, branches, types, codecs, copies, damage',
      group: 'check',
      load: async () => (await import('./dataset/verb')).dataset,
    },
  },
};

export const diff: CliPart = {
  verbs: {
    diff: {
      summary: 'what differs between two files',
      group: 'check',
      elsewhere: ['compare', 'rootdiff', 'cmp'],
      load: async () => (await import('./diff/verb')).diff,
    },
  },
};

export const doctor: CliPart = {
  verbs: {
    doctor: {
      summary: 'how well a file is laid out for reading, what that costs, and how to repair it',
      group: 'check',
      elsewhere: ['diagnose', 'lint'],
      load: async () => (await import('./doctor/doctor')).doctor,
    },
    layout: {
      summary: 'how the branches of a tree lie: bytes, baskets, clusters, seeks',
      group: 'check',
      elsewhere: ['baskets', 'clusters', 'size', 'du'],
      load: async () => (await import('./doctor/layout')).layout,
    },
  },
};

export const entry: CliPart = {
  verbs: {
    entry: {
      summary: 'all branches of one entry, and the objects in it as a picture',
      group: 'read',
      elsewhere: ['event', 'card', 'display'],
      load: async () => (await import('./entry/verb')).entry,
    },
  },
};

export const exports: CliPart = {
  commands: {
    export: {
      summary: 'entries of a tree as CSV, JSON Lines, Arrow, Parquet or numpy arrays',
      group: 'write',
      elsewhere: ['convert', 'root2csv', 'csv', 'parquet', 'save'],
      load: async () => (await import('./exports/cli/export')).exportCommand,
    },
  },
};

export const figures: CliPart = {
  forms: { draw: async () => (await import('./figures/cli/form')).figureForm },
};

export const fits: CliPart = {
  partials: { draw: async () => (await import('./fits/cli/combine-fit')).fitPartial },
  forms: { draw: async () => (await import('./fits/cli/options')).fitForm },
};

export const fleet: CliPart = {
  verbs: {
    fleet: {
      summary: 'what many jobs at several sites would gain from copies of files, caches and partial reads',
      group: 'cost',
      load: async () => (await import('./fleet/verb')).fleet,
    },
  },
};

export const layers: CliPart = {
  forms: { draw: async () => (await import('./layers/cli/options')).layersForm },
};

export const map: CliPart = {
  verbs: {
    map: {
      summary: 'what lies where in a file: every byte of it, in the terminal, as JSON or as SVG',
      group: 'look',
      elsewhere: ['drawmap'],
      load: async () => (await import('./map/verb')).map,
    },
  },
  forms: { map: async () => ({ draw: (await import('./map/cli/draw-map')).drawMap }) },
};

export const mcp: CliPart = {
  commands: {
    mcp: {
      summary: 'a server of the Model Context Protocol, by which assistants read files',
      group: 'tools',
      elsewhere: ['assistant'],
      load: async () => (await import('./mcp/cli/mcp')).mcp,
    },
  },
};

export const pads: CliPart = {
  calls: { canvasPicture: async () => (await import('./pads/work/canvas')).canvasPicture },
};

export const pdf: CliPart = {
  calls: { drawingPdf: async () => (await import('./pdf/work/drawing-pdf')).drawingPdf },
};

export const probe: CliPart = {
  verbs: {
    probe: {
      summary: 'what a server can do for reading from a page, and how to configure the rest',
      group: 'cost',
      elsewhere: ['ping', 'server', 'curl'],
      load: async () => (await import('./probe/cli/verb')).probe,
    },
  },
};

export const reads: CliPart = {
  verbs: {
    perf: {
      summary: 'reads branches and shows how: the pattern of the reads, and the numbers of TTreePerfStats',
      group: 'cost',
      elsewhere: ['perfstats', 'profile', 'benchmark'],
      load: async () => (await import('./reads/verb')).perf,
    },
  },
  calls: {
    readingSvg: async () => (await import('./reads/work/read-svg')).patternSvg,
    readingReport: async () => (await import('./reads/work/reads-report')).readingReport,
  },
};

export const record: CliPart = {
  verbs: {
    record: {
      summary: 'the fields of the header or of a record, as stored, and whether they can be right',
      group: 'look',
      elsewhere: ['header', 'hexdump', 'xxd'],
      load: async () => (await import('./record/verb')).record,
    },
  },
};

export const selectors: CliPart = {
  partials: { process: async () => (await import('./selectors/cli/show-process')).processForm },
  calls: { packSelector: async () => (await import('./selectors/cli/pack')).packSelector },
  commands: {
    process: {
      summary: 'runs your own code over the entries of any number of files, in parallel',
      group: 'read',
      elsewhere: ['run', 'selector', 'analyze'],
      load: async () => (await import('./selectors/cli/process')).processCommand,
    },
  },
};

export const sessions: CliPart = {
  calls: { filesOfSession: async () => (await import('./sessions/work/session')).filesBeside },
};

export const serve: CliPart = {
  commands: {
    serve: {
      summary: 'the page and a folder of files on this machine, to open them by a link',
      group: 'tools',
      elsewhere: ['browse', 'browser', 'rootbrowse', 'tbrowser', 'view', 'gui', 'http'],
      load: async () => (await import('./serve/cli/serve')).serve,
    },
  },
};

export const snippets: CliPart = {
  commands: {
    types: {
      summary: 'the classes that a file describes, as text, JSON, TypeScript or C++',
      group: 'look',
      elsewhere: ['classes', 'makeproject'],
      load: async () => (await import('./snippets/cli/types')).types,
    },
  },
  forms: { draw: async () => (await import('./snippets/cli/code-option')).codeForm },
  calls: { codeOf: async () => (await import('./snippets/cli/code-of')).codeOf },
};

export const traces: CliPart = {
  calls: { readTrace: async () => (await import('./traces/work/formats/formats')).readTrace },
};

export const walls: CliPart = {
  verbs: {
    wall: {
      summary: 'many histograms or branches as small plots on one page',
      group: 'read',
      elsewhere: ['plots', 'dqm'],
      load: async () => (await import('./walls/verb')).wall,
    },
  },
};

export const whatif: CliPart = {
  verbs: {
    whatif: {
      summary: 'what reading branches would cost, with ROOT and its caches or with xylem',
      group: 'cost',
      elsewhere: ['simulate', 'cost'],
      load: async () => (await import('./whatif/verb')).whatif,
    },
    calibrate: {
      summary: 'what reading costs on this machine in CPU time, for "whatif"',
      group: 'cost',
      load: async () => (await import('./whatif/cli/calibrate')).calibrate,
    },
  },
};

export const writer: CliPart = {
  commands: {
    salvage: {
      summary: 'what can be read of a damaged or never closed file, as a sound one',
      group: 'write',
      elsewhere: ['recover', 'rescue'],
      load: async () => (await import('./writer/cli/salvage')).salvage,
    },
    heal: {
      summary: 'writes a file anew so that it is read faster: baskets in order, true clusters',
      group: 'write',
      elsewhere: ['fix', 'repair', 'optimize', 'recompress'],
      load: async () => (await import('./writer/cli/heal')).heal,
    },
    skim: {
      summary: 'a copy of a ROOT file, without ROOT',
      group: 'write',
      elsewhere: ['filter', 'slim', 'copy', 'cp', 'rootcp', 'rooteventselector', 'snapshot'],
      load: async () => (await import('./writer/cli/skim')).skim,
    },
    merge: {
      summary: 'several files as one: trees chained, histograms added, without ROOT',
      group: 'write',
      elsewhere: ['hadd', 'add', 'concat', 'join'],
      load: async () => (await import('./writer/cli/merge')).merge,
    },
  },
};

export const xrootd: CliPart = {
  calls: {
    listFolder: async () => (await import('./xrootd/cli/folder')).listXrootdFolder,
    openServed: async () => (await import('./xrootd/work/node-xrootd-source')).createXrootdSource,
    probeXrootd: async () => (await import('./xrootd/cli/probe')).probeXrootd,
    httpsDoor: async () => (await import('./xrootd/work/gateway-source')).httpsDoor,
  },
};
