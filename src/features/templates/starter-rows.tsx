import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { createTemplate } from '../../data/templates.ts'
import { STARTERS } from './starters.ts'
import { TemplateWork } from './template-work.tsx'
import { useWriteBlocker } from './use-write-blocker.ts'
import { starterRowMessages as messages, templateMessages } from './messages.ts'

type Starter = (typeof STARTERS)[number]

/** The starter templates, on the list of an organisation that has none of its own. */
export function StarterRows() {
  const blocker = useWriteBlocker()
  const [adding, setAdding] = useState<string>()

  async function add(starter: Starter) {
    setAdding(starter.id)
    try {
      await createTemplate(starter)
      toast(messages.added(starter.title))
    } catch {
      toast(messages.failed)
    } finally {
      setAdding(undefined)
    }
  }
  return (
    <section aria-labelledby="starters" className="mx-auto max-w-xl">
      <h2 id="starters" className="text-lg">
        {messages.title}
      </h2>
      <p className="mt-1 text-sm text-ink-muted">{messages.lead}</p>
      <ul aria-labelledby="starters" className="mt-4 border-t border-line">
        {STARTERS.map((starter) => (
          <li
            key={starter.id}
            className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line py-4"
          >
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-semibold">{starter.title}</p>
              <p className="mt-0.5 text-sm text-pretty text-ink-muted">{starter.description}</p>
              <details className="mt-1 text-sm">
                <summary className="min-h-6 cursor-pointer text-ink-faint tabular-nums coarse:min-h-11">
                  {messages.summary(starter)}
                </summary>
                <div className="pt-2">
                  <TemplateWork
                    label={templateMessages.contents(starter.title)}
                    template={starter}
                  />
                </div>
              </details>
            </div>
            <Button
              aria-label={messages.addTitle(starter.title)}
              unavailable={blocker ?? (adding === undefined ? undefined : messages.adding)}
              onClick={() => void add(starter)}
            >
              {messages.add}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
