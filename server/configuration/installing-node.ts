/** On other versions npm silently leaves out packages of the build, because their `engines` exclude them. */
export const INSTALLING_NODE = '^20.19.0 || >=22.12.0'

/** What to do where npm, which names itself `npm/9.6.4 node/v20.0.0 linux x64`, runs on a Node outside that range. */
export function adviceOnNode(npm = ''): string | undefined {
  const [, version = '', major, minor] = /node\/v((\d+)\.(\d+)\.\d+)/.exec(npm) ?? []
  if (version === '') return undefined
  const from = { 20: 19, 22: 12 }[Number(major)] ?? (Number(major) > 22 ? 0 : Infinity)
  if (Number(minor) >= from) return undefined
  return `npm on Node ${version} leaves out packages of the build. Install Node 20.19, 22.12 or newer, then run \`npm ci\` again.`
}
