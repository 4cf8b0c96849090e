// Reads backups: a header, `table<TAB>row as JSON` for each row, `end<TAB>count`, and a digest of these lines, which
// those of earlier versions do not have.
import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import * as v from 'valibot'
import { migrationNames } from '../../database/migrate.ts'
import { StartError } from '../../errors/start-error.ts'
import { currentRow, currentTable } from '../renamed-columns.ts'
import { decrypt, DecryptionError, isEncrypted } from './encryption.ts'

export const FORMAT_VERSION = 1
/** Begins the last line. */
export const DIGEST = 'sha256 '
/** Per read. */
const BUFFER_BYTES = 65_536
/** A header is a few thousand characters: a longer first line is of another file. */
const MAX_HEADER_LENGTH = 65_536
const NO_BACKUP = 'it is not a Cairn backup.'

/** The first line of a backup. */
const Header = v.object({ cairn: v.literal(FORMAT_VERSION), migrations: v.array(v.string()) })
export type Header = v.InferOutput<typeof Header>

/** For an encrypted file: resolves to its passphrase, or to undefined when there is none. */
export type ReadPassphrase = () => Promise<string | undefined>

/** The error of a restore. */
export const cannotRestore = (file: string, reason: string) =>
  new StartError(`${file} cannot be restored: ${reason}`)

/**
 * The rows of a backup, by the names of today; `onHeader` is called before the first. Throws StartError for a file
 * that is none, or not complete.
 */
export async function* rowsOf(
  file: string,
  passphrase: ReadPassphrase | undefined,
  onHeader?: (header: Header) => void,
): AsyncGenerator<{ table: string; row: string }> {
  const fail = (reason: string): never => {
    throw cannotRestore(file, reason)
  }
  const handle = await open(file).catch((error: Error) => fail(error.message))
  try {
    let header: Header | undefined
    let count = 0
    let digest: string | undefined
    const hash = createHash('sha256')
    const failAtHeader = () => fail(NO_BACKUP)
    for await (const line of linesOf(plaintextOf(handle, passphrase), failAtHeader)) {
      if (digest !== undefined) {
        if (line.startsWith(DIGEST) && line !== DIGEST + digest) fail('it is damaged.')
        return
      }
      hash.update(`${line}\n`)
      if (!header) {
        header = readHeader(line) ?? fail(NO_BACKUP)
        const known = new Set(migrationNames())
        if (!header?.migrations.every((name) => known.has(name)))
          fail('it was made by a newer server.')
        onHeader?.(header)
        continue
      }
      const at = line.indexOf('\t')
      if (at < 0) break
      const table = currentTable(line.slice(0, at))
      const row = line.slice(at + 1)
      if (table === 'end') {
        if (Number(row) !== count) break
        digest = hash.digest('hex')
        continue
      }
      if (!isObject(row)) fail('it is damaged.')
      yield { table, row: currentRow(table, row) }
      count += 1
    }
    fail('it is incomplete.')
  } catch (error) {
    // Of the file, which may be a folder.
    if (error instanceof DecryptionError || (error instanceof Error && 'syscall' in error))
      fail(error.message)
    throw error
  } finally {
    await handle.close()
  }
}

/** Whether the text is a JSON object. */
function isObject(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function* plaintextOf(
  handle: FileHandle,
  passphrase: ReadPassphrase | undefined,
): AsyncGenerator<Buffer> {
  let position = 0
  const readBytes = async (bytes: number) => {
    const buffer = Buffer.alloc(bytes)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, bytes - length, position)
      length += bytesRead
      position += bytesRead
      if (bytesRead === 0 || length === bytes) return buffer.subarray(0, length)
    }
  }
  const beginning = await readBytes(BUFFER_BYTES)
  if (isEncrypted(beginning)) {
    const given = await passphrase?.()
    if (!given) throw new DecryptionError('it is encrypted; set BACKUP_PASSPHRASE.')
    position = 0
    yield* decrypt(readBytes, given)
    return
  }
  for (let part = beginning; part.length > 0; part = await readBytes(BUFFER_BYTES)) yield part
}

/** Calls `failAtHeader` where the first line has no end, so that a file of gigabytes is not read for nothing. */
async function* linesOf(
  parts: AsyncIterable<Buffer>,
  failAtHeader: () => never,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let isHeader = true
  // Joined once a line ends: a text that grows part by part is copied with each of them.
  let begun: string[] = []
  let length = 0
  for await (const part of parts) {
    const [end = '', ...lines] = decoder.write(part).split('\n')
    begun.push(end)
    length += end.length
    if (isHeader && length > MAX_HEADER_LENGTH) failAtHeader()
    const rest = lines.pop()
    if (rest === undefined) continue
    isHeader = false
    yield begun.join('')
    yield* lines
    begun = [rest]
    length = rest.length
  }
  yield begun.join('')
}

function readHeader(line: string): Header | undefined {
  try {
    return v.parse(Header, JSON.parse(line))
  } catch {
    return undefined
  }
}

/** Reads a backup to its end, and restores nothing. Throws StartError where it could not be restored. */
export async function requireBackup(
  file: string,
  passphrase: ReadPassphrase | undefined,
): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found && !found.isFile() && !found.isDirectory())
    throw cannotRestore(file, 'it is read twice, which a pipe cannot be. Write it to a file first.')
  const rows = rowsOf(file, passphrase)
  while (!(await rows.next()).done);
}
