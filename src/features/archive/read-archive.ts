// Reads an archive and checks it completely before anything of it is used: it may be cut, changed, made by a
// later build, or made to fill the memory.
import { validateForm } from '../../../contract/errors.ts'
import {
  checksumOf,
  COLLECTIONS,
  FORMAT,
  FORMAT_VERSION,
  lineSchemas,
  MANIFEST,
  Manifest,
  fileOf,
  sha256,
  type Contents,
} from './format.ts'
import { elementsIn, LIMITS } from './limits.ts'
import { DamagedError, TooLargeError, unpack } from './unpack.ts'
import { problemMessages as messages } from './messages.ts'

/** Why an archive is refused. */
export interface Problem {
  /** The file in the archive; undefined if it is about the archive as a whole. */
  file?: string
  /** Of that file, from 1. */
  line?: number
  reason: string
}

export type ReadArchive =
  | { ok: true; manifest: Manifest; contents: Contents }
  | { ok: false; problems: Problem[] }

/** After this many problems the rest is not listed. */
const MOST_PROBLEMS = 20

class Refused extends Error {
  readonly problems: Problem[]
  constructor(...problems: Problem[]) {
    super(problems[0]?.reason)
    this.problems = problems
  }
}

/** The archive's contents, or why it is refused. Needs a secure context. */
export async function readArchive(bytes: Uint8Array): Promise<ReadArchive> {
  try {
    return await read(bytes)
  } catch (problem) {
    if (problem instanceof Refused) return { ok: false, problems: problem.problems }
    throw problem
  }
}

async function read(bytes: Uint8Array): Promise<ReadArchive> {
  if (bytes.length > LIMITS.archiveBytes) throw new Refused({ reason: messages.tooLarge })
  const names = new Set([MANIFEST, ...COLLECTIONS.map(fileOf)])
  const files = unpacked(bytes, (name) => names.has(name))
  const unzipped = files.get(MANIFEST)
  if (!unzipped) throw new Refused({ reason: messages.noArchive })
  const manifest = await manifestOf(unzipped)
  const listed = new Map(manifest.files.map((file) => [file.name, file]))
  const lines = manifest.files.reduce((sum, file) => sum + file.lines, 0)
  if (lines > LIMITS.lines) throw new Refused({ reason: messages.tooManyLines(LIMITS.lines) })
  const contents: Partial<Record<keyof Contents, object[]>> = {}
  const problems: Problem[] = []
  let elements = 0
  for (const collection of COLLECTIONS) {
    const file = fileOf(collection)
    const stored = files.get(file)
    const expected = listed.get(file)
    if (!stored || !expected) throw new Refused({ file, reason: messages.missing })
    const found = recordsOf(collection, stored, LIMITS.elements - elements)
    elements += found.elements
    contents[collection] = found.records
    problems.push(...found.problems)
    if (found.problems.length > 0) continue
    if (found.records.length !== expected.lines)
      problems.push({
        file,
        line: found.records.length + 1,
        reason: messages.cut(found.records.length, expected.lines),
      })
    else if ((await sha256(stored)) !== expected.sha256)
      problems.push({ file, reason: messages.changed })
  }
  if (problems.length > 0) throw new Refused(...problems.slice(0, MOST_PROBLEMS))
  // Each record was parsed with the schema of its collection.
  const complete = contents as unknown as Contents
  const dangling = withoutPlan(complete)
  if (dangling.length > 0) throw new Refused(...dangling.slice(0, MOST_PROBLEMS))
  return { ok: true, manifest, contents: complete }
}

function unpacked(bytes: Uint8Array, isWanted: (name: string) => boolean) {
  try {
    return unpack(bytes, isWanted, LIMITS.unpackedBytes)
  } catch (problem) {
    if (problem instanceof TooLargeError) throw new Refused({ reason: messages.tooLarge })
    if (problem instanceof DamagedError) throw new Refused({ reason: messages.damaged })
    throw problem
  }
}

async function manifestOf(bytes: Uint8Array): Promise<Manifest> {
  const file = MANIFEST
  const text = decoded(bytes)
  const json = text === undefined ? undefined : parsed(text)
  const fields = { ...Object(json) } as Record<string, unknown>
  const { format, version, checksum } = fields
  if (format !== FORMAT) throw new Refused({ file, reason: messages.noArchive })
  if (typeof version === 'number' && version > FORMAT_VERSION)
    throw new Refused({ file, reason: messages.newer(version) })
  const checked = validateForm(Manifest, json)
  if (checked.ok) {
    if (checksum === (await checksumOf(fields))) return checked.value
    throw new Refused({ file, reason: messages.changed })
  }
  const [field = ''] = Object.keys(checked.errors)
  throw new Refused({ file, reason: messages.field(field, checked.errors[field]?.[0] ?? '') })
}

/** Refuses a record with more elements in its lists than `most` leaves, before it is checked. */
function recordsOf(collection: keyof Contents, bytes: Uint8Array, most: number) {
  const file = fileOf(collection)
  let elements = 0
  const records: object[] = []
  const problems: Problem[] = []
  for (const [index, line] of linesOf(bytes).entries()) {
    if (problems.length >= MOST_PROBLEMS) break
    const at = { file, line: index + 1 }
    const text = decoded(line)
    if (text === undefined) {
      problems.push({ ...at, reason: messages.encoding })
      continue
    }
    const json = parsed(text)
    if (json === undefined) {
      problems.push({ ...at, reason: messages.noJson })
      continue
    }
    elements += elementsIn(json)
    if (elements > most) throw new Refused({ reason: messages.tooManyElements(LIMITS.elements) })
    const checked = validateForm(lineSchemas[collection], json)
    if (checked.ok) records.push(checked.value)
    else
      for (const [field, reasons] of Object.entries(checked.errors))
        problems.push({ ...at, reason: messages.field(field, reasons[0] ?? '') })
  }
  return { records, problems, elements }
}

/** Updates of plans that the archive does not have: they could not be imported. */
const withoutPlan = ({ success_plans, success_plan_updates }: Contents): Problem[] => {
  const plans = new Set(success_plans.map(({ id }) => id))
  return success_plan_updates.flatMap(({ success_plan_id }, index) =>
    plans.has(success_plan_id)
      ? []
      : [{ file: fileOf('success_plan_updates'), line: index + 1, reason: messages.noPlan }],
  )
}

const NEW_LINE = 10

/** The lines without their ends; a last one without an end counts. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let from = 0
  while (from < bytes.length) {
    const end = bytes.indexOf(NEW_LINE, from)
    const to = end === -1 ? bytes.length : end
    lines.push(bytes.subarray(from, to))
    from = to + 1
  }
  return lines
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The value; undefined if it is no JSON, which itself has no undefined. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
