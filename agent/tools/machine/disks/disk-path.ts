// Which texts may be passed as a disk to a program that erases.
import { refused } from "@/agent/tools/machine/program/answers";
import { commandText, type Ran, type RunOptions, type RunTool } from "@/agent/tools/machine/program/run-tool";
import type { Answer } from "@/agent/tools/tools";

/** A whole disk; not a partition or an option. */
export const diskPath = /^\/dev\/(sd[a-z]{1,4}|vd[a-z]{1,4}|mmcblk\d{1,3}|pmem\d{1,3})$/;

export interface DiskCommand<Value> {
  readonly program: string;
  /** Arguments before the path, and after it. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly answer: (ran: Ran) => Answer<Value>;
  readonly options?: RunOptions;
}

export async function onDisk<Value>(
  run: RunTool,
  path: string,
  { program, before = [], after = [], answer, options = {} }: DiskCommand<Value>,
): Promise<Answer<Value>> {
  const args = [...before, path, ...after];
  return diskPath.test(path)
    ? answer(await run(program, args, options))
    : refused(commandText(program, args), "not the path of a disk", 2);
}
