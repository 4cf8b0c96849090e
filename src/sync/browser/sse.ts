// Parser of event streams (text/event-stream, HTML Standard, 9.2.6).
import type { ServerEvent } from '../core/ports.ts'

/** Returns a function that takes chunks of text of any size. Calls `onEvent` for each complete event. */
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
