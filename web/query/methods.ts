/**
 * Methods of ROOT's vector classes, as expressions of their stored members. `self` stands for the
 * object. Formulas are those of TVector3, TLorentzVector and GenVector.
 */
type Methods = Record<string, string>;

/** From Cartesian components and, for four-vectors, energy. */
function cartesian(x: string, y: string, z: string, e?: string): Methods {
  const [X, Y, Z] = [`self.${x}`, `self.${y}`, `self.${z}`];
  const perp2 = `(${X}*${X}+${Y}*${Y})`;
  const mag2 = `(${perp2}+${Z}*${Z})`;
  const pt = `TMath::Sqrt(${perp2})`;
  const eta = `(${perp2} == 0 ? (${Z} == 0 ? 0 : ${Z} > 0 ? 1e11 : -1e11) : asinh(${Z}/${pt}))`;
  const phi = `(${X} == 0 && ${Y} == 0 ? 0 : atan2(${Y}, ${X}))`;
  const theta = `(${mag2} == 0 ? 0 : atan2(${pt}, ${Z}))`;
  const space: Methods = {
    X,
    Y,
    Z,
    Px: X,
    Py: Y,
    Pz: Z,
    Perp: pt,
    Perp2: perp2,
    Pt: pt,
    Rho: pt,
    Mag2: mag2,
    P: `TMath::Sqrt(${mag2})`,
    Mag: `TMath::Sqrt(${mag2})`,
    R: `TMath::Sqrt(${mag2})`,
    Eta: eta,
    PseudoRapidity: eta,
    Phi: phi,
    Theta: theta,
    CosTheta: `(${mag2} == 0 ? 1 : ${Z}/TMath::Sqrt(${mag2}))`,
  };
  if (e === undefined) return space;
  const E = `self.${e}`;
  const m2 = `(${E}*${E}-${mag2})`;
  const m = `(${m2} < 0 ? -TMath::Sqrt(-${m2}) : TMath::Sqrt(${m2}))`;
  const mt2 = `(${E}*${E}-${Z}*${Z})`;
  const mt = `(${mt2} < 0 ? -TMath::Sqrt(-${mt2}) : TMath::Sqrt(${mt2}))`;
  return {
    ...space,
    E,
    T: E,
    Energy: E,
    e: E,
    M2: m2,
    Mag2: m2,
    M: m,
    Mag: m,
    mass: m,
    Mt: mt,
    Mt2: mt2,
    Et: `(${perp2} == 0 ? 0 : ${E}*TMath::Sqrt(${perp2}/${mag2}))`,
    Rapidity: `0.5*TMath::Log((${E}+${Z})/(${E}-${Z}))`,
    Beta: `TMath::Sqrt(${mag2})/${E}`,
    Gamma: `1/TMath::Sqrt(1-${mag2}/(${E}*${E}))`,
  };
}

/** From transverse momentum, pseudorapidity, azimuth and energy or mass. */
function polar(e: string | undefined, m: string | undefined): Methods {
  const [pt, eta, phi] = ['self.fCoordinates.fPt', 'self.fCoordinates.fEta', 'self.fCoordinates.fPhi'];
  const pz = `(${pt}*sinh(${eta}))`;
  const p2 = `(${pt}*${pt}*cosh(${eta})*cosh(${eta}))`;
  const m2 = e ? `(self.${e}*self.${e}-${p2})` : `(self.${m}*self.${m})`;
  const energy = e ? `self.${e}` : `TMath::Sqrt(${p2}+${m2})`;
  const mass = e ? `(${m2} < 0 ? -TMath::Sqrt(-${m2}) : TMath::Sqrt(${m2}))` : `self.${m}`;
  const px = `(${pt}*cos(${phi}))`;
  const py = `(${pt}*sin(${phi}))`;
  return {
    Pt: pt,
    pt,
    Rho: pt,
    Eta: eta,
    eta,
    Phi: phi,
    phi,
    Px: px,
    px,
    X: px,
    Py: py,
    py,
    Y: py,
    Pz: pz,
    pz,
    Z: pz,
    P: `(${pt}*cosh(${eta}))`,
    P2: p2,
    E: energy,
    energy,
    T: energy,
    M: mass,
    mass,
    M2: m2,
    Et: `(${energy}/cosh(${eta}))`,
    Mt2: `(${energy}*${energy}-${pz}*${pz})`,
    Rapidity: `0.5*TMath::Log((${energy}+${pz})/(${energy}-${pz}))`,
    Theta: `2*atan(TMath::Exp(-${eta}))`,
  };
}

const CLASSES: [RegExp, Methods][] = [
  [/\bTLorentzVector\b/, cartesian('fP.fX', 'fP.fY', 'fP.fZ', 'fE')],
  [/\bTVector3\b/, cartesian('fX', 'fY', 'fZ')],
  [
    /\bTVector2\b/,
    {
      X: 'self.fX',
      Y: 'self.fY',
      Px: 'self.fX',
      Py: 'self.fY',
      Mod: 'TMath::Sqrt(self.fX*self.fX+self.fY*self.fY)',
      Mod2: 'self.fX*self.fX+self.fY*self.fY',
      Phi: 'TVector2::Phi_0_2pi(atan2(self.fY, self.fX))',
    },
  ],
  [/PtEtaPhiM4D/, polar(undefined, 'fCoordinates.fM')],
  [/PtEtaPhiE4D/, polar('fCoordinates.fE', undefined)],
  [/PxPyPzE4D/, cartesian('fCoordinates.fX', 'fCoordinates.fY', 'fCoordinates.fZ', 'fCoordinates.fT')],
  [
    /(Displacement|Position)Vector3D.*Cartesian3D/,
    cartesian('fCoordinates.fX', 'fCoordinates.fY', 'fCoordinates.fZ'),
  ],
];

/** The methods of the class that a type names; undefined for other classes. */
export function methodsOf(typeName: string): Methods | undefined {
  return CLASSES.find(([pattern]) => pattern.test(typeName))?.[1];
}
