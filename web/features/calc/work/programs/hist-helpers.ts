/** Functions of Python that programs for hist have where hist has no such operation: plain numpy, as ROOT computes. */
export const NUMPY_HELPERS: Readonly<Record<string, string>> = {
  per_width: `def per_width(h):
    """Contents and errors divided by the widths of their bins."""
    # As TAxis::GetBinWidth, under- and overflow have the mean width.
    widths = [np.pad(axis.widths, 1, constant_values=axis.widths.sum() / axis.size) for axis in h.axes]
    size = np.prod(np.array(np.meshgrid(*widths, indexing="ij")), axis=0)
    values, variances = arrays(h)
    return made(h, values / size, variances / size**2)
`,
  rebinned: `def rebinned(h, edges):
    """The bins joined to other edges. What lies outside becomes under- and overflow."""
    starts = [0] + [int(np.abs(h.axes[0].edges - edge).argmin()) + 1 for edge in edges]
    copy = hist.Hist(hist.axis.Variable(edges), storage=hist.storage.Weight())
    values, variances = arrays(h)
    return made(copy, np.add.reduceat(values, starts), np.add.reduceat(variances, starts))
`,
  gate: `def gate(h, to, inside, beside=None):
    """The projection within a gate, minus that of a background scaled to the width of the gate."""
    part = project(h, to, inside)
    if beside is None:
        return part
    axis = h.axes["yx".index(to)]
    width = lambda gate: np.diff(axis.edges[list(span(axis, *gate))])[0]
    return minus(part, project(h, to, beside) * (width(inside) / width(beside)))
`,
  profile: `def profile(h, to, *spans, errors="", **bins):
    """The means of the other axis in each bin, with the errors of TProfile."""
    along = "xy".index(to)
    axis = h.axes[1 - along]
    cut = taken(h, to, *spans, **bins)[1 - along] or slice(0, axis.size)
    weights, squares = [np.moveaxis(one, along, 0)[:, 1:-1][:, cut] for one in arrays(h)]
    centres = axis.centers[cut]
    sums, sums2 = weights.sum(axis=1), squares.sum(axis=1)
    full = np.where(sums == 0, 1, sums)
    means = np.where(sums == 0, 0, weights @ centres / full)
    spread = np.sqrt(np.abs(weights @ centres**2 / full - means**2))
    effective = np.where(sums2 == 0, 1, sums**2 / np.where(sums2 == 0, 1, sums2))
    if errors == "s":
        lengths = spread
    elif errors == "g":
        lengths = 1 / np.sqrt(full)
    elif errors == "i":
        lengths = np.where(spread > 0, spread, 1 / np.sqrt(12)) / np.sqrt(effective)
    else:
        lengths = spread / np.sqrt(effective)
    copy = hist.Hist(h.axes[along], storage=hist.storage.Weight())
    return made(copy, means, np.where(sums == 0, 0, lengths) ** 2)
`,
  smooth: `def smooth(h, times=1):
    """Running medians of 3, 5 and 3 bins and a running mean, applied twice (353QH), as TH1::Smooth."""

    def medians(values, reach):
        found = values.copy()
        windows = np.lib.stride_tricks.sliding_window_view(values, 2 * reach + 1)
        found[reach : len(values) - reach] = np.median(windows, axis=1)
        return found

    def once(given):
        now = medians(given, 1)
        now[0] = np.median([now[1], now[0], 3 * now[1] - 2 * now[2]])
        now[-1] = np.median([now[-2], now[-1], 3 * now[-2] - 2 * now[-3]])
        before = now
        now = medians(before, 2)
        now[1], now[-2] = np.median(before[:3]), np.median(before[-3:])
        now = medians(now, 1)
        curved = now.copy()
        for i in range(2, len(now) - 2):
            if now[i - 1] != now[i] or now[i] != now[i + 1]:
                continue
            left, right = now[i - 2] - now[i], now[i + 2] - now[i]
            if left * right <= 0:
                continue
            side = -1 if abs(right) > abs(left) else 1
            curved[i] = -0.5 * now[i - 2 * side] + now[i] / 0.75 + now[i + 2 * side] / 6
            curved[i + side] = 0.5 * (now[i + 2 * side] - now[i - 2 * side]) + now[i]
        found = curved.copy()
        found[1:-1] = 0.25 * curved[:-2] + 0.5 * curved[1:-1] + 0.25 * curved[2:]
        return found

    values, variances = [one.copy() for one in arrays(h)]
    is_count = np.array_equal(values, variances)
    for _ in range(times):
        inner = values[1:-1].copy()
        smoothed = once(inner)
        smoothed = smoothed + once(inner - smoothed)
        values[1:-1] = smoothed if inner.min() < 0 else np.maximum(smoothed, 0)
    return made(h, values, np.abs(values) if is_count else variances)
`,
  snip: `def snip(h, iterations=20, order=2, smoothing=3, increasing=False):
    """The background below peaks, as TSpectrum::Background."""
    filters = [([-1, 4], 6), ([1, -6, 15], 20), ([-1, 8, -28, 56], 70)][: order // 2 - 1]
    now = h.values().copy()
    size, reach = len(now), (smoothing - 1) // 2 if smoothing else 0
    for step in range(iterations):
        width = step + 1 if increasing else iterations - step
        value = lambda at: now[max(0, at - reach) : at + reach + 1].mean() if reach else now[at]
        after = now.copy()
        for j in range(width, size - width):
            other = (value(j - width) + value(j + width)) / 2
            for k, (coefficients, total) in enumerate(filters):
                far, count, found = width // (k + 2), len(coefficients), 0
                for i, c in enumerate(coefficients):
                    # With smoothing, ROOT subtracts the nearest bin to the right in its filter of order 8.
                    right = -c if reach and count == 4 and i == 3 else c
                    found += c * value(j - (count - i) * far) + right * value(j + (count - i) * far)
                other = max(other, found / total)
            after[j] = other if other < now[j] else value(j)
        now = after
    copy = hist.Hist(*h.axes, storage=hist.storage.Weight())
    copy.view()["value"], copy.view()["variance"] = now, np.abs(now)
    return copy
`,
  efficiency: `def efficiency(passed, total, interval="cp", level=0.682689492137):
    """The efficiency of each bin, and the ends of its interval, as TEfficiency."""
    from scipy.stats import beta, norm

    (k, k2), (n, n2) = [(h.values(), h.variances()) for h in (passed, total)]
    is_weighted = not (np.allclose(k, k2) and np.allclose(n, n2))
    full, tail, z = np.where(n == 0, 1, n), (1 - level) / 2, norm.ppf((1 + level) / 2)
    value = np.where(n == 0, 0, k / full)
    if is_weighted or interval == "normal":
        variance = value * (1 - value) / full
        if is_weighted:
            variance = (k2 * (1 - 2 * value) + n2 * value**2) / full**2
        length = z * np.sqrt(np.maximum(0, variance))
        low, high = value - length, value + length
    elif interval in ("wilson", "ac"):
        middle = (k + z**2 / 2) / (n + z**2)
        length = z * np.sqrt(n * value * (1 - value) + z**2 / 4) / (n + z**2)
        if interval == "ac":
            length = z * np.sqrt(middle * (1 - middle) / (n + z**2))
        low, high = middle - length, middle + length
    else:
        prior = {"jeffreys": 0.5, "uniform": 1}.get(interval)
        a, b = (k, n - k + 1) if prior is None else (k + prior, n - k + prior)
        c, d = (k + 1, n - k) if prior is None else (a, b)
        low = np.where(a > 0, beta.ppf(tail, np.where(a > 0, a, 1), b), 0)
        high = np.where(d > 0, beta.ppf(1 - tail, c, np.where(d > 0, d, 1)), 1)
        value = value if prior is None else a / (a + b)
    return value, np.clip(low, 0, 1), np.clip(high, 0, 1)
`,
};

/** The functions that these call. */
export const NUMPY_NEEDS: Readonly<Record<string, readonly string[]>> = {
  gate: ['project', 'taken', 'span', 'minus'],
  profile: ['taken', 'span'],
};
