import { ChevronDown, UserRoundX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { OrganisationUser, User } from '../../../contract/schemas/people.ts'
import { canManage } from '../../../contract/roles.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { EmailText } from '../../ui/text/email-text.tsx'
import { errorMessage } from '../../widgets/editing/error-message.ts'
import { removeMember, setRole } from '../../data/members.ts'
import { memberMessages as messages } from './messages.ts'

const HandOverDialog = lazy(async () => ({
  default: (await import('./hand-over-dialog.tsx')).HandOverDialog,
}))
const ConfirmDialog = lazy(async () => ({
  default: (await import('../../widgets/editing/confirm-dialog.tsx')).ConfirmDialog,
}))

interface MemberRowProps {
  member: OrganisationUser
  user: User
  organisation: Organisation
}

/** One member with role, and controls to change the role or remove the member for those who may. */
export function MemberRow({ member, user, organisation }: MemberRowProps) {
  const isMe = member.user_id === user.id
  const isOwner = member.user_id === organisation.user_id
  const role = isOwner ? 'owner' : member.pivot.role === 'admin' ? 'admin' : 'member'
  const hasMenu = role !== 'owner' && canManage(user, organisation)
  return (
    <div className="flex min-h-16 items-center gap-3 py-2.5 cramped:flex-wrap">
      <Avatar name={member.name} />
      <div className="min-w-0 grow">
        <p className="truncate text-sm font-semibold">
          {member.name}
          {isMe && <span className="font-normal text-ink-faint"> ({messages.you})</span>}
        </p>
        <p className="text-sm text-ink-muted">
          <EmailText email={member.email} />
        </p>
      </div>
      {hasMenu && <RoleMenu member={member} role={role} isMe={isMe} organisation={organisation} />}
      <span
        className={`shrink-0 px-3.5 text-sm text-ink-muted ${hasMenu ? 'hidden max-lg:print:block' : ''}`}
      >
        {messages.roles[role]}
      </span>
    </div>
  )
}

interface RoleMenuProps {
  member: OrganisationUser
  role: 'admin' | 'member'
  isMe: boolean
  organisation: Organisation
}

function RoleMenu({ member, role, isMe, organisation }: RoleMenuProps) {
  const unavailable = useConnection() === 'offline' ? messages.offline : undefined
  const [asking, setAsking] = useState<'remove' | 'step-down'>()
  const { name } = member
  const close = () => setAsking(undefined)

  async function change(to: 'admin' | 'member') {
    const isKept = await setRole(member, to)
    toast(isKept ? messages.roleSet(name, to) : messages.roleNotKept(name))
  }

  function choose(to: 'admin' | 'member') {
    if (to === role) return
    if (isMe) setAsking('step-down')
    else change(to).catch((problem: unknown) => toast(errorMessage(problem)))
  }

  return (
    <>
      <Menu
        label={messages.roleOf(name, messages.roles[role])}
        className={buttonClass('quiet')}
        items={[
          ...(['admin', 'member'] as const).map((one) => ({
            label: messages.roleHints[one],
            chosen: role === one,
            unavailable,
            onSelect: () => choose(one),
          })),
          // Leaving the organisation has its own section below.
          ...(isMe
            ? []
            : [
                {
                  label: messages.remove,
                  icon: UserRoundX,
                  danger: true,
                  apart: true,
                  unavailable,
                  onSelect: () => setAsking('remove'),
                },
              ]),
        ]}
      >
        {messages.roles[role]}
        <ChevronDown aria-hidden />
      </Menu>
      <Suspense>
        {asking === 'remove' && (
          <HandOverDialog
            user_id={member.user_id}
            isMe={false}
            organisation={organisation}
            title={messages.removeTitle(name)}
            action={messages.removeConfirm}
            unavailable={unavailable}
            onClose={close}
            onConfirm={async (heir_id) => {
              await removeMember(member, heir_id)
              toast(messages.removed(name))
              close()
            }}
          >
            <p>{messages.removeText(name)}</p>
          </HandOverDialog>
        )}
        {asking === 'step-down' && (
          <ConfirmDialog
            title={messages.stepDownTitle}
            action={messages.stepDown}
            unavailable={unavailable}
            onClose={close}
            onConfirm={() => change('member').then(close)}
          >
            {messages.stepDownText}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  )
}
