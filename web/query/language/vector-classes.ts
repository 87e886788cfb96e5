import { ofC } from './bodies';

/**
 * A class with known methods, written as expressions of its stored members. A body is in C (see
 * FunctionSpec). It can use members by their short names, and other methods without brackets. Each name is
 * computed once in a body. Formulas and their limits are those of TVector3, TLorentzVector and GenVector
 * of ROOT 6.40.
 */
export interface KnownClass {
  /** Paths of stored members below the object, by short name. */
  members: Record<string, string>;
  methods: Record<string, Method>;
  /** Methods that return another object: its class, and a body for each of its members. */
  objects?: Record<string, { of: () => KnownClass; members: Record<string, string>; args?: number }>;
  /** Methods with one argument that return an element of a stored array. */
  arrays?: Record<string, string>;
}

/**
 * A body without arguments, or one with numbers as arguments, which it calls a, b …; `defaults` are the
 * values of the last ones.
 */
export type Method = string | { args: number; body: string; defaults?: number[] };

/** Adds other names of methods: `a: ['b', 'c']` makes b and c the same as a. */
function named(methods: Record<string, Method>, names: Record<string, string>): Record<string, Method> {
  const all = { ...methods };
  for (const [name, others] of Object.entries(names))
    for (const other of others.split(' ')) all[other] = name;
  return Object.fromEntries(
    Object.entries(all).map(([name, method]) => [
      name,
      typeof method === 'string' ? ofC(method) : { ...method, body: ofC(method.body) },
    ]),
  );
}

const XYZ = { x: 'fX', y: 'fY', z: 'fZ' };

const signedRoot = (square: string): string => `${square} < 0 ? -sqrt(-${square}) : sqrt(${square})`;

/** Puts `prefix` before each path. */
function within(prefix: string, members: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, path]) => [name, `${prefix}.${path}`]));
}

// ---- TVector2, TVector3 and TLorentzVector

const TVECTOR2: KnownClass = {
  members: { x: 'fX', y: 'fY' },
  methods: named(
    { X: 'x', Y: 'y', Mod2: 'x*x + y*y', Mod: 'sqrt(Mod2)', Phi: 'pi + atan2(-y, -x)' },
    { X: 'Px', Y: 'Py' },
  ),
  objects: {
    Unit: { of: () => TVECTOR2, members: { x: 'Mod2 != 0 ? x/Mod : 0', y: 'Mod2 != 0 ? y/Mod : 0' } },
    Ort: { of: () => TVECTOR2, members: { x: 'Mod2 != 0 ? x/Mod : 0', y: 'Mod2 != 0 ? y/Mod : 0' } },
    Rotate: {
      of: () => TVECTOR2,
      args: 1,
      members: { x: 'x*cos(a) - y*sin(a)', y: 'x*sin(a) + y*cos(a)' },
    },
  },
};

const SPACE: Record<string, Method> = {
  X: 'x',
  Y: 'y',
  Z: 'z',
  Perp2: 'x*x + y*y',
  Perp: 'sqrt(Perp2)',
  Phi: 'atan2(y, x)',
  Theta: 'atan2(Perp, z)',
};

const TVECTOR3: KnownClass = {
  members: XYZ,
  methods: named(
    {
      ...SPACE,
      Mag2: 'x*x + y*y + z*z',
      Mag: 'sqrt(Mag2)',
      CosTheta: 'Mag == 0 ? 1 : z/Mag',
      PseudoRapidity:
        'CosTheta*CosTheta < 1 ? -0.5*log((1-CosTheta)/(1+CosTheta)) : z == 0 ? 0 : z > 0 ? 1e11 : -1e11',
      size: '3',
    },
    { X: 'x Px', Y: 'y Py', Z: 'z Pz', Perp: 'Pt', PseudoRapidity: 'Eta' },
  ),
  objects: {
    Unit: { of: () => TVECTOR3, members: unit('x', 'y', 'z') },
    Orthogonal: {
      of: () => TVECTOR3,
      members: {
        x: 'fabs(x) < fabs(y) ? (fabs(x) < fabs(z) ? 0 : y) : fabs(y) < fabs(z) ? -z : y',
        y: 'fabs(x) < fabs(y) ? (fabs(x) < fabs(z) ? z : -x) : fabs(y) < fabs(z) ? 0 : -x',
        z: 'fabs(x) < fabs(y) ? (fabs(x) < fabs(z) ? -y : 0) : fabs(y) < fabs(z) ? x : 0',
      },
    },
    XYvector: { of: () => TVECTOR2, members: { x: 'x', y: 'y' } },
    EtaPhiVector: { of: () => TVECTOR2, members: { x: 'Eta', y: 'Phi' } },
  },
};

function unit(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `Mag2 > 0 ? ${name}*(1/Mag) : ${name}`]));
}

const TLORENTZVECTOR: KnownClass = {
  members: { ...within('fP', XYZ), t: 'fE' },
  methods: named(
    {
      ...SPACE,
      T: 't',
      P: 'sqrt(x*x + y*y + z*z)',
      CosTheta: TVECTOR3.methods.CosTheta?.toString().replaceAll('Mag', 'P') ?? '',
      PseudoRapidity: TVECTOR3.methods.PseudoRapidity ?? '',
      M2: 't*t - (x*x + y*y + z*z)',
      M: signedRoot('M2'),
      Mt2: 't*t - z*z',
      Mt: signedRoot('Mt2'),
      Et2: 'Perp2 == 0 ? 0 : t*t*Perp2/(Perp2 + z*z)',
      Et: 't < 0 ? -sqrt(Et2) : sqrt(Et2)',
      Beta: 'P/t',
      Gamma: '1/sqrt(1 - Beta*Beta)',
      Rapidity: '0.5*log((t+z)/(t-z))',
      Plus: 't + z',
      Minus: 't - z',
    },
    {
      X: 'Px',
      Y: 'Py',
      Z: 'Pz',
      T: 'E Energy',
      P: 'Rho',
      Perp: 'Pt',
      PseudoRapidity: 'Eta',
      M: 'Mag',
      M2: 'Mag2',
    },
  ),
  objects: {
    Vect: { of: () => TVECTOR3, members: { x: 'x', y: 'y', z: 'z' } },
    BoostVector: { of: () => TVECTOR3, members: { x: 'x/t', y: 'y/t', z: 'z/t' } },
  },
};

// ---- GenVector

/** GenVector adds this to z if eta has no finite value. */
const ETA_MAX = '22756';
const ALONG = `eta == 0 ? 0 : eta > 0 ? eta - ${ETA_MAX} : eta + ${ETA_MAX}`;
const LENGTH = `eta > ${ETA_MAX} ? eta - ${ETA_MAX} : eta < -${ETA_MAX} ? -eta - ${ETA_MAX} : 0`;

/** Eta from the transverse length and the coordinate along the axis; xylem::eta is in functions.ts. */
const ETA = (across: string, along: string, big: string): string => `xylem::eta(${across}, ${along}, ${big})`;

/** Names of methods with the same result, for all kinds of coordinates. */
const NAMES3 = {
  X: 'x',
  Y: 'y',
  Z: 'z',
  R: 'r',
  Rho: 'rho',
  Theta: 'theta',
  Phi: 'phi',
  Eta: 'eta',
  Mag2: 'mag2',
  Perp2: 'perp2',
};
const NAMES4 = {
  X: 'x Px px',
  Y: 'y Py py',
  Z: 'z Pz pz',
  E: 'e t T energy',
  Pt: 'pt rho Rho',
  P: 'R r',
  Eta: 'eta',
  Phi: 'phi',
  Theta: 'theta',
  M: 'mag mass Mag',
  M2: 'mag2 mass2 Mag2',
  Mt: 'mt',
  Mt2: 'mt2',
  Perp2: 'perp2 Pt2',
};

/**
 * Methods of a vector with Cartesian coordinates. Above `big`, ROOT uses the logarithm of 2 z / rho; `big`
 * depends on the precision of the scalar.
 */
function cartesian(big: string): Record<string, Method> {
  return {
    X: 'x',
    Y: 'y',
    Z: 'z',
    Perp2: 'x*x + y*y',
    Phi: 'atan2(y, x)',
    Theta: 'atan2(sqrt(Perp2), z)',
    Eta: ETA('sqrt(Perp2)', 'z', big),
  };
}

const POLAR: Record<string, Method> = {
  X: 'pt*cos(phi)',
  Y: 'pt*sin(phi)',
  Z: `pt > 0 ? pt*sinh(eta) : ${ALONG}`,
  Pt: 'pt',
  Eta: 'eta',
  Phi: 'phi',
  Perp2: 'pt*pt',
  P: `pt > 0 ? pt*cosh(eta) : ${LENGTH}`,
  P2: 'P*P',
  Theta: 'pt > 0 ? 2*atan(exp(-eta)) : eta >= 0 ? 0 : pi',
};

const COMMON4: Record<string, Method> = {
  M: signedRoot('M2'),
  Mt: signedRoot('Mt2'),
  Rapidity: '0.5*log((E+Z)/(E-Z))',
  ColinearRapidity: '0.5*log((E+P)/(E-P))',
  Beta: 'E == 0 ? (P2 == 0 ? 0 : 1/E) : P/E',
  Gamma: 'E == 0 && P2 == 0 ? 1 : E*E < P2 ? 0 : 1/sqrt(1 - P2/(E*E))',
  isTimelike: 'E*E > P*P',
  isSpacelike: 'E*E < P*P',
  Dimension: '4',
};

function lorentz(
  members: Record<string, string>,
  methods: Record<string, Method>,
  epsilon: number,
): KnownClass {
  const isLightlike = {
    args: 1,
    body: 'E == 0 ? P == 0 : (E-P)*(E-P) < a*E*E',
    defaults: [100 * epsilon],
  };
  const known: KnownClass = {
    members: within('fCoordinates', members),
    methods: named({ ...COMMON4, ...methods, isLightlike }, NAMES4),
    objects: {
      Vect: { of: () => spatial(epsilon), members: { x: 'X', y: 'Y', z: 'Z' } },
      BoostToCM: {
        of: () => spatial(epsilon),
        members: {
          x: 'E == 0 && P == 0 ? 0 : -X/E',
          y: 'E == 0 && P == 0 ? 0 : -Y/E',
          z: 'E == 0 && P == 0 ? 0 : -Z/E',
        },
      },
      Coordinates: {
        of: () => known,
        members: Object.fromEntries(Object.keys(members).map((name) => [name, name])),
      },
    },
  };
  return known;
}

const fromMass = { M2: 'm >= 0 ? m*m : -m*m', M: 'm', E2: 'P2 + M2 > 0 ? P2 + M2 : 0', E: 'sqrt(E2)' };

function fourVectors(epsilon: number): [RegExp, KnownClass][] {
  const space = {
    ...cartesian(bigOf(epsilon)),
    P2: 'x*x + y*y + z*z',
    P: 'sqrt(P2)',
    Pt: 'sqrt(Perp2)',
  };
  return [
    [
      /PxPyPzE4D/,
      lorentz(
        { ...XYZ, e: 'fT' },
        {
          ...space,
          E: 'e',
          M2: 'e*e - x*x - y*y - z*z',
          Mt2: 'e*e - z*z',
          Et2: 'Perp2 == 0 ? 0 : e*e*Perp2/(Perp2 + z*z)',
          Et: 'e < 0 ? -sqrt(Et2) : sqrt(Et2)',
        },
        epsilon,
      ),
    ],
    [
      /PxPyPzM4D/,
      lorentz(
        { ...XYZ, m: 'fM' },
        {
          ...space,
          ...fromMass,
          Mt2: 'E2 - z*z',
          Et2: 'Perp2 == 0 ? 0 : E2*Perp2/(Perp2 + z*z)',
          Et: 'sqrt(Et2)',
        },
        epsilon,
      ),
    ],
    [
      /PtEtaPhiE4D/,
      lorentz(
        { pt: 'fPt', eta: 'fEta', phi: 'fPhi', e: 'fE' },
        { ...POLAR, E: 'e', M2: 'e*e - P*P', Mt2: 'e*e - Z*Z', Et: 'e/cosh(eta)', Et2: 'Et*Et' },
        epsilon,
      ),
    ],
    [
      /PtEtaPhiM4D/,
      lorentz(
        { pt: 'fPt', eta: 'fEta', phi: 'fPhi', m: 'fM' },
        {
          ...POLAR,
          ...fromMass,
          Mt2: 'M2 + pt*pt',
          Et: 'E/cosh(eta)',
          Et2: '2*E2/(cosh(2*eta) + 1)',
        },
        epsilon,
      ),
    ],
  ];
}

/** Returns the scaled z above which z² and z² + 1 are the same number. */
function bigOf(epsilon: number): string {
  return String(epsilon ** -0.25);
}

const spatials = new Map<number, KnownClass>();

/** Returns the class of a spatial vector with Cartesian coordinates. */
function spatial(epsilon: number): KnownClass {
  const known =
    spatials.get(epsilon) ??
    threeVector(
      XYZ,
      {
        ...cartesian(bigOf(epsilon)),
        // ROOT has no rule for null vectors here.
        Phi: 'std::atan2(y, x)',
        Theta: 'std::atan2(sqrt(Perp2), z)',
        Mag2: 'x*x + y*y + z*z',
        R: 'sqrt(Mag2)',
        Rho: 'sqrt(Perp2)',
      },
      epsilon,
    );
  spatials.set(epsilon, known);
  return known;
}

function threeVector(
  members: Record<string, string>,
  methods: Record<string, Method>,
  epsilon: number,
): KnownClass {
  const divided = { x: 'R == 0 ? X : X/R', y: 'R == 0 ? Y : Y/R', z: 'R == 0 ? Z : Z/R' };
  const unitVector = { of: () => spatial(epsilon), members: divided };
  return {
    members,
    methods: named({ ...methods, Dimension: '3' }, NAMES3),
    objects: { Unit: unitVector, unit: unitVector },
  };
}

function threeVectors(epsilon: number): [RegExp, KnownClass][] {
  const big = bigOf(epsilon);
  const around = { X: 'rho*cos(phi)', Y: 'rho*sin(phi)', Rho: 'rho', Phi: 'phi', Perp2: 'rho*rho' };
  const vector = (members: Record<string, string>, methods: Record<string, Method>): KnownClass =>
    threeVector(within('fCoordinates', members), methods, epsilon);
  const { methods } = spatial(epsilon);
  return [
    [/Vector3D<(?:ROOT::Math::)?Cartesian3D\b/, vector(XYZ, methods)],
    [
      /Vector3D<(?:ROOT::Math::)?Polar3D\b/,
      vector(
        { r: 'fR', theta: 'fTheta', phi: 'fPhi' },
        {
          X: 'Rho*cos(phi)',
          Y: 'Rho*sin(phi)',
          Z: 'r*cos(theta)',
          R: 'r',
          Theta: 'theta',
          Phi: 'phi',
          Rho: 'r*sin(theta)',
          Mag2: 'r*r',
          Perp2: 'Rho*Rho',
          Eta: `tan(theta/2) == 0 ? r + ${ETA_MAX} : tan(theta/2) > 1.7976931348623157e308 ? -r - ${ETA_MAX} : -log(tan(theta/2))`,
        },
      ),
    ],
    [
      /Vector3D<(?:ROOT::Math::)?Cylindrical3D\b/,
      vector(
        { rho: 'fRho', z: 'fZ', phi: 'fPhi' },
        {
          ...around,
          Z: 'z',
          Mag2: 'rho*rho + z*z',
          R: 'sqrt(Mag2)',
          Theta: 'atan2(rho, z)',
          Eta: ETA('rho', 'z', big),
        },
      ),
    ],
    [
      /Vector3D<(?:ROOT::Math::)?CylindricalEta3D\b/,
      vector(
        { rho: 'fRho', eta: 'fEta', phi: 'fPhi' },
        {
          ...around,
          Eta: 'eta',
          Z: `rho > 0 ? rho*sinh(eta) : ${ALONG}`,
          R: `rho > 0 ? rho*cosh(eta) : ${LENGTH}`,
          Mag2: 'R*R',
          Theta: 'rho > 0 ? 2*atan(exp(-eta)) : eta >= 0 ? 0 : pi',
        },
      ),
    ],
  ];
}

const NAMES2 = { X: 'x', Y: 'y', R: 'r', Phi: 'phi', Mag2: 'mag2' };

const PLANE: KnownClass = twoVector(
  { x: 'fX', y: 'fY' },
  { X: 'x', Y: 'y', Mag2: 'x*x + y*y', R: 'sqrt(Mag2)', Phi: 'atan2(y, x)' },
);

function twoVector(members: Record<string, string>, methods: Record<string, Method>): KnownClass {
  const unitVector = {
    of: () => PLANE,
    members: { x: 'R == 0 ? X : X/R', y: 'R == 0 ? Y : Y/R' },
  };
  return {
    members,
    methods: named({ ...methods, Dimension: '2' }, NAMES2),
    objects: { Unit: unitVector, unit: unitVector },
  };
}

const TWO_VECTORS: [RegExp, KnownClass][] = [
  [
    /Vector2D<(?:ROOT::Math::)?Cartesian2D\b/,
    twoVector(within('fCoordinates', PLANE.members), PLANE.methods),
  ],
  [
    /Vector2D<(?:ROOT::Math::)?Polar2D\b/,
    twoVector(within('fCoordinates', { r: 'fR', phi: 'fPhi' }), {
      X: 'r*cos(phi)',
      Y: 'r*sin(phi)',
      R: 'r',
      Phi: 'phi',
      Mag2: 'r*r',
    }),
  ],
];

const DOUBLE = 2 ** -52;
const FLOAT = 2 ** -23;

/** The classes of GenVector, by the precision of their scalar. */
const GENVECTOR: Record<string, [RegExp, KnownClass][]> = {};

function genVector(scalar: string): [RegExp, KnownClass][] {
  const epsilon = scalar === 'float' ? FLOAT : DOUBLE;
  GENVECTOR[scalar] ??= [...fourVectors(epsilon), ...threeVectors(epsilon), ...TWO_VECTORS];
  return GENVECTOR[scalar];
}

const CLASSES: [RegExp, KnownClass][] = [
  [/\bTLorentzVector\b/, TLORENTZVECTOR],
  [/\bTVector3\b/, TVECTOR3],
  [/\bTVector2\b/, TVECTOR2],
];

/** Returns the class that a type names; undefined for classes with unknown methods. */
export function vectorClass(typeName: string): KnownClass | undefined {
  const find = (classes: [RegExp, KnownClass][]): KnownClass | undefined =>
    classes.find(([pattern]) => pattern.test(typeName))?.[1];
  const scalar = /[234]D<\s*float\s*>/.test(typeName) ? 'float' : 'double';
  return find(CLASSES) ?? find(genVector(scalar));
}
