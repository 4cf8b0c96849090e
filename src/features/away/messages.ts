const count = (many: number, one: string) => `${many} ${many === 1 ? one : `${one}s`}`
const LIST = new Intl.ListFormat('en')

/** What is told after a return. */
export const awayMessages = {
  title: 'While you were away',
  dismiss: 'Dismiss what happened while you were away',
  someone: 'A former member',
  said: (names: readonly string[], updates: number, body: string) => {
    const who =
      updates > 1 ? `${LIST.format(names)}, ${count(updates, 'update')}` : LIST.format(names)
    return body === '' ? `${who} changed it` : `${who}: ${body}`
  },
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  percent: (value: number) => `${value}%`,
  more: (plans: number) => `Show ${count(plans, 'more plan')}`,
} as const
