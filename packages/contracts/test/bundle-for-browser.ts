import { rolldown } from "rolldown";

/** One script for a page, whole (nothing shaken out): what the entry exports becomes the global `globalName`. */
export async function bundleForBrowser(entry: string, globalName: string) {
  await using bundle = await rolldown({
    input: entry,
    platform: "browser",
    treeshake: false,
    resolve: { conditionNames: ["source", "browser", "import", "default"] },
    onLog: (_, log) => {
      throw new Error(`bundling ${entry}: ${log.message}`);
    },
  });
  const { output } = await bundle.generate({ format: "iife", name: globalName });
  const [script, ...others] = output;
  if (others.length > 0) throw new Error(`bundling ${entry} made ${output.length} files`);
  return { code: script.code, imports: script.imports, modules: script.moduleIds };
}
