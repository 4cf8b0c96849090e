// The words that start a command, for messages that say what to type.
import { basename } from 'node:path'

/** Of a release, or of the sources: as this process was started. */
export const typedCommand = (name: string): string =>
  basename(process.argv[1] ?? '') === 'cairn' ? `node cairn ${name}` : `npm run ${name} --`
