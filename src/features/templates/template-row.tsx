import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Template } from '../../../contract/schemas/templates.ts'
import { buttonClass } from '../../ui/button.tsx'
import { RecordMenu } from '../../widgets/editing/record-menu.tsx'
import { useRoleBlocker } from './use-write-blocker.ts'
import { TemplateWork } from './template-work.tsx'
import { templateMessages as messages } from './messages.ts'

interface TemplateRowProps {
  template: Template
  /** Why it cannot be edited now. */
  writeBlocker: string | undefined
}

/** One template: its summary, expanding to its contents. */
export function TemplateRow({ template, writeBlocker }: TemplateRowProps) {
  const navigate = useNavigate()
  const roleBlocker = useRoleBlocker()
  const [open, setOpen] = useState(false)
  const contents = useId()
  const { id, title, description, type, duration_days, update_cadence_days, initiatives } = template
  const actions = initiatives.flatMap((initiative) => initiative.actions)
  const details = [
    messages.days(duration_days),
    messages.size(initiatives.length, actions.length),
    type === null ? undefined : messages.kind(type),
    update_cadence_days === null ? undefined : messages.cadence(update_cadence_days),
  ]
  return (
    <article data-row={id} aria-label={title} className="border-b border-line py-3">
      <div className="sm:flex sm:items-start sm:gap-x-1">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={contents}
          onClick={() => setOpen(!open)}
          className="group -ms-2 grid w-full min-w-0 grow grid-cols-[1.25rem_minmax(0,1fr)] items-start gap-x-2 rounded-md px-2 py-1.5 text-start hover:bg-raised coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-5 text-ink-faint transition-transform duration-150 group-aria-expanded:rotate-90"
          />
          <span className="min-w-0">
            <span className="block font-semibold break-words">{title}</span>
            {description && (
              <span className="mt-0.5 block max-w-prose text-sm text-ink-muted">{description}</span>
            )}
            <span className="mt-1 block text-sm text-ink-faint tabular-nums">
              {details.filter(Boolean).join(' · ')}
            </span>
          </span>
        </button>
        <div className="mt-1 flex items-center gap-x-1 max-sm:ms-7">
          <Link
            to={`/success-plans/new?template=${encodeURIComponent(id)}`}
            aria-label={messages.useFor(title)}
            className={buttonClass()}
          >
            {messages.use}
          </Link>
          <RecordMenu
            record={template}
            title={title}
            resource="templates"
            deleteBlocker={roleBlocker}
            editBlocker={writeBlocker}
            onEdit={() => navigate(`?edit=${encodeURIComponent(id)}`)}
          />
        </div>
      </div>
      <div id={contents} hidden={!open} className="ms-7 max-w-3xl pt-2 pb-1">
        {open && <TemplateWork label={messages.contents(title)} template={template} />}
      </div>
    </article>
  )
}
