// Writes an organisation as an archive, on the device.
import { strToU8, zipSync } from 'fflate'
import { csvFiles } from './csv-files.ts'
import {
  COLLECTIONS,
  fileOf,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
  OMITTED,
  sha256,
  signedManifest,
  type Contents,
  type Manifest,
} from './format.ts'
import { elementsIn, isWithinLimits } from './limits.ts'

/** What the manifest says about where the contents come from. */
export type Origin = Omit<Manifest, 'format' | 'version' | 'files'>

/** A record as a line of JSON. */
const lineOf = (record: object): string =>
  JSON.stringify(record, (name, value: unknown) => (OMITTED.has(name) ? undefined : value))

/** The archive's bytes, and whether an import takes an archive of its size. Needs a secure context. */
export async function writeArchive(
  contents: Contents,
  origin: Origin,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isImportable: boolean }> {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {}
  const listed: Manifest['files'] = []
  for (const collection of COLLECTIONS) {
    const lines = contents[collection].map(lineOf)
    const bytes = strToU8(lines.map((line) => `${line}\n`).join(''))
    const name = fileOf(collection)
    files[name] = bytes
    listed.push({
      name,
      lines: lines.length,
      bytes: bytes.length,
      sha256: await sha256(bytes),
    })
  }
  for (const [name, text] of Object.entries(csvFiles(contents))) files[name] = strToU8(text)
  const manifest: Manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    ...origin,
    files: listed,
  }
  const bytes = zipSync(
    { [MANIFEST]: strToU8(await signedManifest(manifest)), ...files },
    { mtime: origin.exported_at },
  )
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
  const isImportable = isWithinLimits({
    archiveBytes: bytes.length,
    unpackedBytes: sum(listed.map((file) => file.bytes)),
    lines: sum(listed.map((file) => file.lines)),
    elements: sum(COLLECTIONS.flatMap((name) => contents[name].map(elementsIn))),
  })
  return { bytes, isImportable }
}
