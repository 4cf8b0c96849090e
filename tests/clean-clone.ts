// `npm ci && npm start` in a clean clone, for `npm run test:long`: fails for an unexpected line. With the machine's own
// Node, and with each major version that README.md allows.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneInto, install, installNode, startOnce } from './server/fixtures/clean-clone.ts'

const EXPECTED = [
  /^added \d+ packages in /,
  /^> /,
  /^Building the app …$/,
  /^Sign in as /,
  /^Cairn is at /,
  /^\{"time":.*"level":"info"/,
]

/**
 * The oldest of each major version, with an npm of its time, and the newest, with the newest npm. Of 23 the last: on
 * 23.0 npm itself prints a warning, of an ES module in its own packages that it requires.
 */
const VERSIONS: [node: string, npm: string][] = [
  ['20.19.0', '10.8.2'],
  ['22.12.0', '10.9.0'],
  ['23.11.1', '10.9.2'],
  ['24.0.0', '11.3.0'],
  ['25.0.0', '11.6.2'],
  ['26.0.0', '11.19.1'],
  ['26.10.0', '12.2.2'],
]

/** Returns how many lines were not expected, of an installation and a start in the folder `clone`. */
async function runOnce(clone: string, programs?: string): Promise<number> {
  await cloneInto(clone)
  const lines = [...(await install(clone, programs)), ...(await startOnce(clone, programs))]
  const others = lines.filter((line) => !EXPECTED.some((one) => one.test(line)))
  console.log(`${lines.length} lines, ${others.length} of them not expected.`)
  for (const line of others) console.error(line)
  return others.length
}

let failed = 0
for (const [node, npm] of [['own', ''], ...VERSIONS] as const) {
  const began = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-clone-'))
  try {
    // PostgreSQL does not run as root, and the user that it runs as reads its programs here.
    await chmod(folder, 0o755)
    const programs = node === 'own' ? undefined : await installNode(join(folder, 'node'), node, npm)
    console.log(node === 'own' ? 'The Node of this machine:' : `Node ${node} with npm ${npm}:`)
    failed += await runOnce(join(folder, 'cairn'), programs).catch((error: unknown) => {
      console.error(error)
      return 1
    })
    console.log(`${Math.round((Date.now() - began) / 1_000)} s`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
process.exitCode = failed === 0 ? 0 : 1
