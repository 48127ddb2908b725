// Upper confidence limit on how often something happens, given how often it was seen: Clopper and Pearson (Biometrika 26, 1934, pp. 404-413).

const steps = 200;
const smallest = 1e-30;

/** Stirling's series with Lanczos' coefficients (SIAM J. Numer. Anal. B 1, 1964, p. 86; g = 5). */
const lanczos = [
  76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
  -0.5395239384953e-5,
];

function logGamma(x: number): number {
  const shifted = x + 5.5;
  const sum = lanczos.reduce((total, factor, index) => total + factor / (x + 1 + index), 1.000000000190015);
  return (x + 0.5) * Math.log(shifted) - shifted + Math.log((2.5066282746310005 * sum) / x);
}

const away = (value: number): number => (Math.abs(value) < smallest ? smallest : value);

/** The continued fraction of DLMF 8.17.22, by Lentz's method. */
function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= steps; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      change = d * c;
      value *= change;
    }
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return value;
}

/** The regularized incomplete beta function (DLMF 8.17). */
function betaShare(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * fraction(a, b, x)) / a
    : 1 - (front * fraction(b, a, 1 - x)) / b;
}

/**
 * The largest share consistent with `found` of `tried` at 95 % confidence, one-sided. For zero found it is 1 − 0.05^(1/tried), which is nearly
 * 3/tried: the rule of three (Hanley and Lippman-Hand, JAMA 249, 1983, p. 1743). Null: nothing was tried. Pure.
 */
export function upperBound(found: number, tried: number): number | null {
  if (tried <= 0) return null;
  if (found >= tried) return 1;
  if (found <= 0) return -Math.expm1(Math.log(0.05) / tried);
  let low = found / tried;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (betaShare(found + 1, tried - found, middle) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}
