// What a server tells through an answer that stays open (text/event-stream, HTML 9.2.6): events, as
// they come in pieces of any size.

export interface ServerEvent {
  type: string
  data: string
}

/** Takes pieces of text, and tells each event when it is whole. Comments are signs of life only. */
export function eventReader(heard: (event: ServerEvent) => void): (text: string) => void {
  let rest = ''
  let type = ''
  let data: string[] = []
  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) heard({ type: type || 'message', data: data.join('\n') })
      type = ''
      data = []
      return
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? []
    if (name === 'event') type = value
    if (name === 'data') data.push(value)
  }
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?=[^])/)
    rest = lines.pop() ?? ''
    for (const one of lines) line(one)
  }
}
