// One entry for each feature that the page shows. Entries load code only when it is used.
import type { PagePart } from '../ui/part';

export const boards: PagePart = {
  views: {
    board: {
      label: 'Board',
      words: 'brush linked select cut filter crossfilter',
      order: 35,
      on: ['tree'],
      load: async () => (await import('./boards/view/board-view')).BoardView,
    },
  },
  slots: {
    marked: {
      board: { order: 2, load: async () => (await import('./boards/view/made-from')).BoardOfMarked },
    },
    wall: { board: { load: async () => (await import('./boards/view/made-from')).BoardOfWall } },
  },
};

export const calc: PagePart = {
  slots: {
    plot: { calc: { order: 10, load: async () => (await import('./calc/view/calc-panel')).CalcPanel } },
    over: { calc: { load: async () => (await import('./calc/view/bands')).CalcBands } },
  },
};

export const chains: PagePart = {
  views: {
    all: {
      label: 'All files',
      words: 'chain list combine',
      order: 40,
      on: ['tree'],
      chain: true,
      load: async () => (await import('./chains/view/chain')).AllFiles,
    },
  },
  slots: {
    list: { note: { load: async () => (await import('./chains/view/chain')).ChainNote } },
    overview: {
      files: {
        when: ({ open }) => open.chain !== undefined,
        load: async () => (await import('./chains/view/chain')).ListedFiles,
      },
    },
  },
};

export const cutflow: PagePart = {
  views: {
    cutflow: {
      label: 'Cutflow',
      words: 'cuts selection efficiency N-1 report yields',
      order: 37,
      on: ['tree'],
      load: async () => (await import('./cutflow/view/cutflow-view')).CutflowView,
    },
  },
};

export const dataset: PagePart = {
  views: {
    dataset: {
      label: 'Compare files',
      words: 'diff missing branches',
      order: 50,
      on: ['tree'],
      chain: true,
      load: async () => (await import('./dataset/view/dataset-view')).DatasetView,
    },
  },
};

export const diff: PagePart = {
  views: {
    diff: {
      label: 'Differences',
      words: 'diff compare two files changed added removed',
      order: 65,
      on: ['file'],
      load: async () => (await import('./diff/view/diff-view')).DiffView,
    },
  },
};

export const doctor: PagePart = {
  views: {
    layout: {
      label: 'Layout',
      words: 'compression size baskets clusters treemap',
      group: 'inspect',
      order: 100,
      on: ['tree'],
      load: async () => (await import('./doctor/view/layout-view')).LayoutView,
    },
    doctor: {
      label: 'Doctor',
      words: 'heal repair slow problems',
      group: 'inspect',
      order: 110,
      on: ['file', 'tree'],
      load: async () => (await import('./doctor/view/doctor-view')).DoctorView,
    },
  },
};

export const entry: PagePart = {
  views: {
    entry: {
      label: 'Entry',
      words: 'event card display objects eta phi next previous',
      order: 25,
      on: ['tree'],
      load: async () => (await import('./entry/view/entry-view')).EntryView,
    },
  },
  keys: { 'In the card of an entry': async () => (await import('./entry/view/entry-keys')).cardCommands },
};

export const exports: PagePart = {
  slots: {
    export: { table: { load: async () => (await import('./exports/view/write-table')).WriteTable } },
  },
};

export const figures: PagePart = {
  slots: {
    tools: {
      figure: { order: 1, load: async () => (await import('./figures/view/figure-panel')).FigureButton },
    },
    plot: {
      figure: {
        order: 2,
        when: ({ store }) => store.plot.look.value.figure !== '',
        load: async () => (await import('./figures/view/figure-panel')).FigurePanel,
      },
    },
    histogram: {
      figure: {
        order: 1,
        when: ({ store }) => store.plot.look.value.figure !== '',
        load: async () => (await import('./figures/view/figure-code')).FigureCode,
      },
    },
  },
  commands: [
    {
      id: 'plot.figure',
      label: 'The plot as a figure for a paper',
      kind: 'Plot',
      words: 'publication style pdf latex cms atlas lhcb mplhep',
      when: ({ find }) => find('.figure-button') != null,
      run: ({ find }) => find('.figure-button')?.click(),
    },
  ],
};

export const fits: PagePart = {
  slots: {
    tools: { fit: { order: 2, load: async () => (await import('./fits/view/fit-panel')).FitButton } },
    histogram: {
      fit: {
        order: -1,
        // Programs are of the plot itself, or of all layers together.
        when: ({ store: { plot } }) => {
          const { fit } = plot.look.value;
          const isAlone = plot.layers.value === '';
          return fit !== '' && plot.steps.value === '' && (isAlone || /;\s*shared=\s*[^;\s]/.test(fit));
        },
        load: async () => (await import('./fits/view/fit-code')).FitCode,
      },
    },
    linked: { fit: { load: async () => (await import('./fits/view/linked-fit')).LinkedFit } },
    over: {
      fit: {
        when: ({ store }) => store.plot.look.value.fit !== '',
        load: async () => (await import('./fits/view/fit-range')).FitRange,
      },
    },
    plot: {
      fit: {
        order: -1,
        when: ({ store }) => store.plot.look.value.fit !== '',
        load: async () => (await import('./fits/view/fit-panel')).FitPanel,
      },
    },
  },
  commands: [
    {
      id: 'plot.fit',
      label: 'Fit a function to the plot',
      kind: 'Plot',
      words: 'gaus expo minuit likelihood chi2 peak',
      when: ({ store: { plot } }) => plot.shown.value?.model !== undefined,
      run: ({ store: { plot } }) => {
        const { fit } = plot.look.value;
        plot.look.value = { ...plot.look.value, fit: fit === '' ? 'gaus' : '' };
      },
    },
  ],
};

export const fleet: PagePart = {
  views: {
    fleet: {
      label: 'Fleet',
      words: 'grid jobs sites push pull simulate cache XCache',
      group: 'inspect',
      order: 120,
      on: ['tree'],
      load: async () => (await import('./fleet/view/fleet-view')).FleetView,
    },
  },
  drops: {
    when: ({ name }) => /\.json$/i.test(name),
    load: async () => (await import('./fleet/view/fleet-model')).modelShown,
  },
};

export const jsroot: PagePart = {
  slots: {
    object: {
      jsroot: {
        label: 'Draw with JSROOT',
        // Drawings, and the other classes in JSROOT's table (draw.mjs) without those that need a tree or a server.
        when: ({ store, object, isDrawing }) =>
          store.jsroot !== undefined &&
          (isDrawing ||
            /^(?!TGraph(Struct|Node|Edge)$)(T(Slider|Button|InspectCanvas|Frame|Paves?(Text|Stats|Label|Class)?|Diamond|PaletteAxis|Text|MathText|Link|Annotation|H[123]\w+|Profile(2D|3D)?|Graph\w*|CutG|F12?|F2|Arc|Crown|PolyLine|Curly(Line|Arc)|Gaxis|Wbox|SliderBox|Marker|PolyMarker|Axis3D|EveGeoShapeExtract)|Roo(Hist|Curve|Ellipse)\w*)$/.test(
              object._typename,
            )),
        load: async () => (await import('./jsroot/view/jsroot-view')).DrawnByJsroot,
      },
    },
  },
};

export const layers: PagePart = {
  slots: {
    marked: { over: { order: 1, load: async () => (await import('./layers/view/draw-over')).DrawOver } },
    plot: { layers: { load: async () => (await import('./layers/view/layers-panel')).LayersPanel } },
    'no-plot': {
      layers: {
        when: ({ store }) => store.plot.layers.value !== '',
        load: async () => (await import('./layers/view/layers-panel')).NoLayers,
      },
    },
  },
  commands: [
    {
      id: 'plot.remove-layers',
      label: 'Remove all layers',
      kind: 'Plot',
      words: 'stop comparing',
      when: ({ store: { plot } }) => plot.shown.value?.model !== undefined && plot.layers.value !== '',
      run: ({ store }) => {
        store.plot.layers.value = '';
      },
    },
  ],
};

export const map: PagePart = {
  views: {
    map: {
      label: 'Map',
      words: 'bytes places baskets',
      group: 'inspect',
      order: 80,
      on: ['file', 'tree'],
      load: async () => (await import('./map/view/map-view')).MapView,
    },
  },
  keys: { 'In the map of a file': async () => (await import('./map/view/map-commands')).mapCommands },
};

export const pads: PagePart = {
  slots: { picture: { pads: { load: async () => (await import('./pads/view/pad-picture')).PadPicture } } },
};

export const probe: PagePart = {
  views: {
    server: {
      label: 'Server',
      words: 'probe ranges cors http',
      group: 'inspect',
      order: 130,
      on: ['file'],
      load: async () => (await import('./probe/view/server-view')).ServerView,
    },
  },
};

export const reads: PagePart = {
  slots: {
    object: {
      reads: {
        label: 'Reads',
        isFirst: true,
        when: ({ object }) => object._typename === 'TTreePerfStats',
        load: async () => (await import('./reads/view/stored-reads')).StoredReads,
      },
    },
  },
  views: {
    reads: {
      label: 'Reads',
      words: 'requests performance TTreePerfStats cost',
      group: 'inspect',
      order: 90,
      on: ['tree'],
      load: async () => (await import('./reads/view/reads-view')).ReadsView,
    },
  },
};

export const record: PagePart = {
  views: {
    record: {
      label: 'Record',
      words: 'header key bytes hex fields TKey TFile fNbytes',
      group: 'inspect',
      order: 85,
      on: ['file'],
      load: async () => (await import('./record/view/record-view')).RecordView,
    },
  },
  slots: {
    bytes: { record: { load: async () => (await import('./record/view/record-view')).OutlinedRecord } },
  },
};

export const selectors: PagePart = {
  selector: async () => (await import('./selectors/view/held-selector')).heldSelector,
  views: {
    selector: {
      label: 'Selector',
      words: 'code process loop TSelector analysis javascript',
      order: 60,
      on: ['tree'],
      selectors: true,
      load: async () => (await import('./selectors/view/selector-view')).SelectorView,
    },
  },
};

export const serve: PagePart = {
  slots: { start: { served: { load: async () => (await import('./serve/view/served-files')).ServedFiles } } },
};

export const sessions: PagePart = {
  commands: [
    {
      id: 'plot.add-note',
      label: 'Write a note on the plot',
      kind: 'Plot',
      words: 'annotate text arrow comment',
      goes: true,
      when: ({ find }) => find('.add-note') != null,
      run: ({ find }) => find('.add-note')?.click(),
    },
    {
      id: 'session.open',
      label: 'Session: save, share, keep this view',
      kind: 'Do',
      words: 'store workspace link bookmark project',
      when: ({ find }) => find('.session-button') != null,
      run: ({ find }) => find('.session-button')?.click(),
    },
    {
      id: 'session.save',
      label: 'Save session',
      kind: 'Do',
      words: 'store workspace file',
      when: ({ isApp, store }) => isApp && store.files.list.value.length > 0,
      run: ({ store }) =>
        void Promise.all([
          import('./sessions/view/save-session'),
          import('./sessions/view/session-state'),
        ]).then(([{ saveSession }, { makeSession }]) => saveSession(makeSession(store).session)),
    },
    {
      id: 'session.keep',
      label: 'Keep this view in the session',
      kind: 'Do',
      words: 'bookmark pin remember',
      when: ({ isApp, store }) => isApp && store.session.file.value !== null,
      run: ({ store }) =>
        void import('./sessions/view/session-state').then(({ keepView, sessionState }) => {
          keepView(store);
          sessionState(store).isOpen.value = true;
        }),
    },
  ],
  documents: {
    ending: '.xylem.json',
    parameter: 'session',
    load: async () => (await import('./sessions/view/open-session')).openSession,
  },
  slots: {
    bar: { session: { load: async () => (await import('./sessions/view/session-button')).SessionButton } },
    tools: { note: { load: async () => (await import('./sessions/view/plot-notes')).NoteButton } },
    over: { notes: { load: async () => (await import('./sessions/view/plot-notes')).PlotNotes } },
  },
};

export const snippets: PagePart = {
  slots: {
    histogram: { snippets: { load: async () => (await import('./snippets/view/code-snippets')).UseThis } },
  },
};

export const traces: PagePart = {
  drops: { load: async () => (await import('./traces/view/saved-reading')).laidOver },
};

export const walls: PagePart = {
  views: {
    wall: {
      label: 'Wall',
      words: 'gallery histograms small multiples dqm plots',
      order: 30,
      on: ['file', 'tree'],
      plots: true,
      load: async () => (await import('./walls/view/wall-view')).WallView,
    },
  },
  slots: {
    marked: { beside: { load: async () => (await import('./walls/view/side-by-side')).SideBySide } },
    folder: {
      wall: { load: async () => (await import('./walls/view/wall-view')).FolderWall },
    },
  },
  keys: {
    'In a wall of plots': async () => (await import('./walls/view/wall-commands')).wallCommands,
    'In a plot that is enlarged': async () => (await import('./walls/view/wall-commands')).largeCommands,
  },
};

export const whatif: PagePart = {
  slots: { query: { cost: { load: async () => (await import('./whatif/view/cost-line')).CostLine } } },
};

export const writer: PagePart = {
  views: {
    save: {
      label: 'Save',
      words: 'merge hadd salvage write',
      order: 70,
      on: ['file'],
      load: async () => (await import('./writer/view/save-view')).SaveView,
    },
  },
  slots: {
    heal: {
      section: { load: async () => (await import('./writer/view/heal-section')).HealSection },
    },
    overview: {
      found: {
        order: 1,
        when: ({ store, isDamaged }) => store.writer !== undefined && isDamaged,
        load: async () => (await import('./writer/view/save-found')).SaveFound,
      },
    },
    export: {
      root: {
        order: 1,
        // Several files are merged, not copied.
        when: ({ store }) => store.writer !== undefined && store.session.file.value?.info.files === undefined,
        load: async () => (await import('./writer/view/save-tree')).SaveTree,
      },
    },
  },
};

export const xrootd: PagePart = {
  fragments: { key: async () => (await import('./xrootd/view/key-of-gateway')).keyOfGateway },
};
