// Parser of event streams (text/event-stream, HTML Standard, 9.2.6).
import type { ServerEvent } from '../core/ports.ts'

/**
 * Returns a function that takes chunks of text of any size. Calls `onEvent` for each complete event.
 */
export function createSseParser(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let buffer = ''
  /** The last chunk ended with a carriage return, which may end its line. */
  let isCut = false
  let type = ''
  let data: string[] = []
  const parseLine = (text: string) => {
    if (text === '') {
      if (data.length > 0) onEvent({ type: type || 'message', data: data.join('\n') })
      type = ''
      data = []
      return
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? []
    if (name === 'event') type = value
    if (name === 'data') data.push(value)
  }
  return (text) => {
    // A line of a megabyte comes in many chunks: only its end is searched for.
    if (!isCut && !/[\r\n]/.test(text)) {
      buffer += text
      return
    }
    const lines = (buffer + text).split(/\r\n|\n|\r(?=[^])/)
    buffer = lines.pop() ?? ''
    isCut = buffer.endsWith('\r')
    for (const one of lines) parseLine(one)
  }
}
