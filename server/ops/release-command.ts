// `npm run release`: writes `cairn-<version>.tar.gz` into the current folder.
import { statSync } from 'node:fs'
import { buildIfStale } from './build.ts'
import { writeRelease } from './release.ts'

/** More would be a mistake in what is packed. */
const MOST_MB = 60

const file = await writeRelease(await buildIfStale(), process.cwd())
const megabytes = statSync(file).size / 1_000_000
console.log(`${file}, ${megabytes.toFixed(1)} MB`)
if (megabytes > MOST_MB) {
  console.error(`A release has at most ${MOST_MB} MB.`)
  process.exitCode = 1
}
