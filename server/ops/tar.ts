// Archives in the ustar format (POSIX.1-1988), the same for the same files: without times and owners.

/** A file of an archive. */
export interface ArchivedFile {
  /** With `/`, relative; at most 255 bytes, as the format allows. */
  path: string
  isExecutable: boolean
  content: Buffer
}

const BLOCK = 512
const LONGEST_NAME = 100
const LONGEST_PREFIX = 155

/** The path in the two fields that the format has for it. Throws where they are too short. */
function splitPath(path: string): [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= LONGEST_NAME) return [path, '']
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= LONGEST_PREFIX && Buffer.byteLength(name) <= LONGEST_NAME)
      return [name, prefix]
  }
  throw new Error(`The path is too long for an archive: ${path}`)
}

function header({ path, isExecutable, content }: ArchivedFile): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  const [name, prefix] = splitPath(path)
  block.write(name, 0)
  block.write(octal(isExecutable ? 0o755 : 0o644, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(content.length, 11), 124)
  block.write(octal(0, 11), 136)
  block.write('0', 156)
  block.write('ustar\x0000', 257, 'latin1')
  block.write(prefix, 345)
  // The sum is taken with spaces in its own field.
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  return block
}

/** The parts of the archive, in the order of `files`. */
export function* archive(files: Iterable<ArchivedFile>): Generator<Buffer> {
  for (const file of files) {
    yield header(file)
    yield file.content
    yield Buffer.alloc((BLOCK - (file.content.length % BLOCK)) % BLOCK)
  }
  yield Buffer.alloc(2 * BLOCK)
}
