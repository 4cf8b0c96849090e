// What a server tells through an answer that stays open (text/event-stream, HTML 9.2.6): events, as
// they come in pieces of any size.
import type { ServerEvent } from '../core/ports.ts'

/** Takes pieces of text, and tells each event when it is whole. Comments are signs of life only. */
export function createSseParser(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let buffer = ''
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
    const lines = (buffer + text).split(/\r\n|\n|\r(?=[^])/)
    buffer = lines.pop() ?? ''
    for (const one of lines) parseLine(one)
  }
}
