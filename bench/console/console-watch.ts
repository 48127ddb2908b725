// What a browser page goes through while the bench watches: its requests, the tasks that hold its thread, its memory, and how soon it draws.
import type { Page } from "@playwright/test";
import { z } from "zod";

export interface TimedRequest {
  /** Without the query. */
  readonly path: string;
  readonly ms: number;
}

export interface PageWatch {
  /** So far: requests that ended, and tasks over 50 ms, in ms. */
  readonly seen: () => {
    readonly requests: readonly TimedRequest[];
    readonly longTasksMs: readonly number[];
  };
  /** From now until the page has drawn twice, in ms: what a person who clicks now would wait for at least. */
  readonly frameMs: () => Promise<number>;
  /** Of JavaScript, after its garbage was collected. */
  readonly heapBytes: () => Promise<number>;
}

const heap = z.object({ usedSize: z.number() });

/** Begins before the first page of the window. */
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
