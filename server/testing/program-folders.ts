// Where test runs keep the programs that they build: beside `node_modules`, where the packages that stay outside are found.
import { join } from "node:path";
import { root } from "@/scripts/folders.mjs";

export const testFolder = join(root, "node_modules", ".reclaim-tests");

/** Of the programs that the test files of one run share. @param name of the run */
export const sharedProgramsFolder = (name: string): string => join(testFolder, name);
