// Prometheus' text format: labels with special characters, differences of histograms, quantiles as bounds.
import { expect, it } from "vitest";
import { between, histogram, parseMetrics, quantileBound, total } from "@/bench/release/metrics-text";

const text = (a: number, b: number, c: number) => `# HELP wait_seconds Some words.
# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.01"} ${a}
wait_seconds_bucket{le="0.1"} ${a + b}
wait_seconds_bucket{le="+Inf"} ${a + b + c}
wait_seconds_sum 1.5
wait_seconds_count ${a + b + c}
done_total{state="Failed/\\"x\\"",site="a b"} 2
done_total{state="Ready",site="c"} 3e1
`;

it("reads names, labels and values", () => {
  const samples = parseMetrics(text(1, 2, 3));
  expect(samples.at(-2)).toEqual({
    name: "done_total",
    labels: { state: 'Failed/\\"x\\"', site: "a b" },
    value: 2,
  });
  expect(total(samples, "done_total")).toBe(32);
  expect(total(samples, "absent")).toBe(0);
});

it("refuses text that is not metrics", () => {
  expect(() => parseMetrics("<html>")).toThrow("not a metric");
});

it("gives the bound under which the share of new observations lies", () => {
  const grown = between(
    histogram(parseMetrics(text(100, 0, 0)), "wait_seconds"),
    histogram(parseMetrics(text(150, 48, 2)), "wait_seconds"),
  );
  expect(grown.count).toBe(100);
  expect(quantileBound(grown, 0.5)).toBe(0.01);
  expect(quantileBound(grown, 0.51)).toBe(0.1);
  expect(quantileBound(grown, 0.98)).toBe(0.1);
  expect(quantileBound(grown, 0.99)).toBe(Infinity);
});

it("says nothing where nothing was observed", () => {
  expect(quantileBound(histogram([], "wait_seconds"), 0.5)).toBeNull();
});
