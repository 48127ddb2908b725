// Firmware variables, as files of efivarfs. The kernel makes them immutable until that attribute is removed (Documentation/filesystems/efivarfs.rst).
import { doneOf, given, refused, silence } from "@/agent/tools/machine/program/answers";
import type { Files } from "@/agent/tools/machine/program/files";
import { programs } from "@/agent/tools/machine/program/paths";
import type { RunTool } from "@/agent/tools/machine/program/run-tool";
import type { EfiTools } from "@/agent/tools/tools";

const folder = "/sys/firmware/efi/efivars";
const attributeBytes = 4;
const wellFormed = /^[A-Za-z0-9]{1,64}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function efiTools(run: RunTool, files: Files): EfiTools {
  const pathOf = (name: string, guid: string): string | null =>
    wellFormed.test(`${name}-${guid}`) ? `${folder}/${name}-${guid}` : null;
  return {
    // The folder may list variables that do not exist, so only reading one proves it.
    read: async (name, guid) => {
      const path = pathOf(name, guid);
      const command = `read ${path ?? `${name}-${guid}`}`;
      const content = path === null ? null : await files.read(path);
      return content === null || content.length < attributeBytes
        ? refused(command, "there is no such variable")
        : given(command, content);
    },
    write: async (name, guid, attributes, data) => {
      const path = pathOf(name, guid);
      if (path === null) return refused(`write ${name}-${guid}`, "not the name of a variable");
      if ((await files.read(path)) !== null) {
        const mutable = doneOf(await run(programs.chattr, ["-i", path]), silence);
        if (mutable.value === null) return mutable;
      }
      const head = Buffer.alloc(attributeBytes);
      head.writeUInt32LE(attributes);
      const problem = await files.write(path, Buffer.concat([head, data]));
      return problem === null ? given(`write ${path}`, true as const) : refused(`write ${path}`, problem);
    },
  };
}
