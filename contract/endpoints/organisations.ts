// Organisations and who belongs to them.
import * as v from 'valibot'
import { endpoint, list, none, one } from '../endpoint.ts'
import { Invite, InviteDraft, LinkToken } from '../schemas/invites.ts'
import { listQuery } from '../list-query.ts'
import {
  Organisation,
  OrganisationDeletion,
  OrganisationDraft,
  OrganisationEdit,
  OrganisationLeaving,
} from '../schemas/organisations.ts'
import { OrganisationUser, OrganisationUserEdit } from '../schemas/people.ts'

export const organisationEndpoints = {
  listOrganisations: endpoint({
    method: 'GET',
    path: '/api/v1/organisations',
    query: listQuery(['name', 'created_at'], {}),
    answer: list(Organisation),
    who: 'user',
    offline: 'read',
  }),
  getOrganisation: endpoint({
    method: 'GET',
    path: '/api/v1/organisations/{id}',
    answer: one(Organisation),
    who: 'user',
    offline: 'read',
  }),
  createOrganisation: endpoint({
    method: 'POST',
    path: '/api/v1/organisations',
    body: OrganisationDraft,
    answer: one(Organisation),
    status: 201,
    who: 'user',
    offline: 'online',
  }),
  updateOrganisation: endpoint({
    method: 'PUT',
    path: '/api/v1/organisations/{id}',
    body: OrganisationEdit,
    answer: one(Organisation),
    who: 'manager',
    offline: 'online',
  }),
  deleteOrganisation: endpoint({
    method: 'DELETE',
    path: '/api/v1/organisations/{id}',
    body: OrganisationDeletion,
    answer: none,
    status: 204,
    who: 'owner',
    offline: 'online',
  }),
  listOrganisationUsers: endpoint({
    method: 'GET',
    path: '/api/v1/organisation-users',
    query: listQuery(['name', 'created_at'], { title: v.optional(v.string()) }),
    answer: list(OrganisationUser),
    who: 'member',
    offline: 'read',
  }),
  updateOrganisationUser: endpoint({
    method: 'PUT',
    path: '/api/v1/organisation-users/{user_id}',
    body: OrganisationUserEdit,
    answer: one(OrganisationUser),
    who: 'manager',
    offline: 'online',
  }),
  /** By the membership's id. */
  deleteOrganisationUser: endpoint({
    method: 'DELETE',
    path: '/api/v1/organisation-users/{id}',
    answer: none,
    status: 204,
    who: 'manager',
    offline: 'online',
  }),
  leaveOrganisation: endpoint({
    method: 'POST',
    path: '/api/v1/leave-organisation',
    body: OrganisationLeaving,
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  listOrganisationInvites: endpoint({
    method: 'GET',
    path: '/api/v1/organisation-invites',
    query: listQuery(['email', 'created_at'], {}),
    answer: list(Invite),
    who: 'manager',
    offline: 'online',
  }),
  createOrganisationInvite: endpoint({
    method: 'POST',
    path: '/api/v1/organisation-invites',
    body: InviteDraft,
    answer: one(Invite),
    status: 201,
    who: 'manager',
    offline: 'online',
  }),
  deleteOrganisationInvite: endpoint({
    method: 'DELETE',
    path: '/api/v1/organisation-invites/{id}',
    answer: none,
    status: 204,
    who: 'manager',
    offline: 'online',
  }),
  acceptOrganisationInvite: endpoint({
    method: 'POST',
    path: '/api/v1/organisation-invites/accept',
    body: LinkToken,
    answer: one(Organisation),
    who: 'user',
    offline: 'online',
  }),
} as const
