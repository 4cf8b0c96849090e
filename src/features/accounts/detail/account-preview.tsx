import { Maximize2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { PreviewPane } from '../../../ui/list/preview-pane.tsx'
import { HealthMark, Quiet } from '../../../widgets/status/tags.tsx'
import { AccountPlans } from './account-plans.tsx'
import { AccountFacts, NextActions, useAccountWork } from './account-sections.tsx'
import { AccountStrip } from './account-strip.tsx'
import { Contacts } from './contacts.tsx'
import { Timeline } from './timeline.tsx'
import { accountListMessages, accountMessages as messages } from '../messages.ts'
import { accountPath } from '../../../ui/platform/record-path.ts'

const NONE: readonly never[] = []

interface AccountPreviewProps {
  account: Account
  onClose: () => void
}

/** An account beside the table: the renewal, the money, what is next and who to call. */
export function AccountPreview({ account, onClose }: AccountPreviewProps) {
  const work = useAccountWork(account)
  const { own, entries, missing, nameOf, authorOf, today } = work
  const { id, name, health, status } = account
  return (
    <PreviewPane
      id={id}
      label={accountListMessages.preview(name)}
      onClose={onClose}
      controls={
        <Link to={accountPath(id)} className={`me-auto -ms-2.5 ${buttonClass('quiet')} px-2.5!`}>
          <Maximize2 aria-hidden />
          {accountListMessages.openAccount}
        </Link>
      }
    >
      <h2 className="mt-3 text-lg text-pretty">{name}</h2>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted empty:hidden">
        {health && <HealthMark health={health} />}
        {status !== 'active' && <Quiet>{messages.enumLabel(status)}</Quiet>}
      </p>
      <AccountStrip account={account} work={work} today={today} />
      <div className="mt-6 flex flex-col gap-8">
        <NextActions account={account} plans={own ?? NONE} nameOf={nameOf} today={today} />
        <AccountPlans account_id={id} plans={own} unread={work.unread} today={today} />
        <Contacts account={account} />
        <AccountFacts account={account} />
        <Timeline entries={entries} missing={missing.length} authorOf={authorOf} />
      </div>
    </PreviewPane>
  )
}
