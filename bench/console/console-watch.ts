// Measures a browser page: its requests, long tasks on its main thread, its memory, and how soon it renders.
import type { Page } from "@playwright/test";
import { z } from "zod";

export interface TimedRequest {
  /** Without the query string. */
  readonly path: string;
  readonly ms: number;
}

export interface PageWatch {
  /** So far: completed requests, and tasks over 50 ms, in ms. */
  readonly seen: () => {
    readonly requests: readonly TimedRequest[];
    readonly longTasksMs: readonly number[];
  };
  /** From now until the page has rendered two frames, in ms: the minimum wait of a person who clicks now. */
  readonly frameMs: () => Promise<number>;
  /** JavaScript heap after garbage collection. */
  readonly heapBytes: () => Promise<number>;
}

const heap = z.object({ usedSize: z.number() });

/** Must be called before the window's first page. */
export async function watchPage(page: Page): Promise<PageWatch> {
  const requests: TimedRequest[] = [];
  const longTasksMs: number[] = [];
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    const { responseEnd } = request.timing();
    if (pathname !== "/api/live" && responseEnd >= 0) requests.push({ path: pathname, ms: responseEnd });
  });
  await page.exposeFunction("benchLongTask", (ms: number) => void longTasksMs.push(ms));
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        const tell: unknown = Reflect.get(window, "benchLongTask");
        if (typeof tell === "function") tell(duration);
      }
    }).observe({ type: "longtask", buffered: true });
  });
  const devtools = await page.context().newCDPSession(page);
  return {
    seen: () => ({ requests: [...requests], longTasksMs: [...longTasksMs] }),
    frameMs: () =>
      page.evaluate(
        () =>
          new Promise<number>((done) => {
            const began = performance.now();
            requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
          }),
      ),
    heapBytes: async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      return heap.parse(await devtools.send("Runtime.getHeapUsage")).usedSize;
    },
  };
}
