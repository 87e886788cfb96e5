const greek =
  'alpha:α beta:β gamma:γ delta:δ epsilon:ε zeta:ζ eta:η theta:θ iota:ι kappa:κ lambda:λ mu:μ nu:ν xi:ξ ' +
  'omicron:ο pi:π rho:ρ sigma:σ tau:τ upsilon:υ phi:φ chi:χ psi:ψ omega:ω varphi:ϕ varepsilon:ε vartheta:ϑ ' +
  'Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Xi:Ξ Pi:Π Sigma:Σ Upsilon:Υ Phi:Φ Psi:Ψ Omega:Ω';
const signs =
  'pm:± mp:∓ times:× cdot:· upoint:· leq:≤ geq:≥ neq:≠ approx:≈ sim:∼ infty:∞ rightarrow:→ leftarrow:← ' +
  'rightarrow:→ to:→ sqrt:√ sum:∑ int:∫ partial:∂ circ:° deg:° hbar:ℏ ell:ℓ perp:⊥ parallel:∥ prime:′ ast:∗';

const symbols = new Map(`${greek} ${signs}`.split(' ').map((pair) => pair.split(':') as [string, string]));
const raised: Record<string, string> = {
  ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((sign, digit) => [String(digit), sign])),
  '+': '⁺',
  '-': '⁻',
};

/**
 * The text of a ROOT title (TLatex) as far as plain text can show it: symbols become characters,
 * whole powers are raised, other scripts keep their "_" or "^", font commands disappear.
 */
export function readableLatex(title: string): string {
  return title
    .replace(/#(?:font|color|kern|lower|scale)\[[^\]]*\]/g, '')
    .replace(/#(?:it|bf|rm|mbox|left|right|splitline)(?![a-zA-Z])/g, '')
    .replace(/#([a-zA-Z]+)/g, (whole, name: string) => symbols.get(name) ?? whole)
    .replace(/\^\{?([+-]?\d+|[+-])\}?/g, (_, power: string) =>
      [...power].map((sign) => raised[sign] ?? sign).join(''),
    )
    .replace(/([_^])\{([^{}]*)\}/g, '$1$2')
    .replace(/\{([^{}]*)\}/g, '$1');
}
