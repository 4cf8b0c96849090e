// `npm ci && npm start` in a clean clone, for `npm run test:long`: fails for an unexpected line.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneInto, install, startOnce } from './server/fixtures/clean-clone.ts'

const EXPECTED = [
  /^added \d+ packages in /,
  /^> /,
  /^Building the app …$/,
  /^Sign in as /,
  /^Cairn is at /,
  /^\{"time":.*"level":"info"/,
]

const folder = await mkdtemp(join(tmpdir(), 'cairn-clone-'))
// PostgreSQL does not run as root, and the user that it runs as reads its programs here.
await chmod(folder, 0o755)
try {
  const clone = join(folder, 'cairn')
  await cloneInto(clone)
  const lines = [...(await install(clone)), ...(await startOnce(clone))]
  const others = lines.filter((line) => !EXPECTED.some((one) => one.test(line)))
  console.log(`${lines.length} lines, ${others.length} of them not expected.`)
  for (const line of others) console.error(line)
  process.exitCode = others.length === 0 ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
