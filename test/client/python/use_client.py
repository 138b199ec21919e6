"""Uses the generated client as an application would, and prints what it received as JSON."""

import json
import os

from messaging_channels_client import AuthenticatedClient
from messaging_channels_client.api.channels import get_channel, list_channels
from messaging_channels_client.api.deliveries import list_deliveries, retry_delivery
from messaging_channels_client.api.organizations import create_workspace
from messaging_channels_client.models import DeliveryList, Error, WorkspaceInput, WorkspaceInputKind

given = json.loads(os.environ["GIVEN"])
client = AuthenticatedClient(base_url=given["baseUrl"], token=given["apiKey"])
workspace_id = given["workspaceId"]


def error_of(answer) -> dict:
    assert isinstance(answer.parsed, Error), answer
    return {"status": int(answer.status_code), "code": answer.parsed.code, "requestId": answer.parsed.request_id}


def delivery_pages() -> list[list[str]]:
    pages = []
    cursor = None
    while cursor is not None or not pages:
        more = {"cursor": cursor} if cursor is not None else {}
        page = list_deliveries.sync(client=client, x_workspace_id=workspace_id, limit=2, **more)
        assert isinstance(page, DeliveryList), page
        pages.append([delivery.delivery_id for delivery in page.deliveries])
        cursor = page.next_cursor
    return pages


with client:
    new = WorkspaceInput(name="From Python", kind=WorkspaceInputKind.TEAM)
    workspace = create_workspace.sync(given["organizationId"], client=client, body=new)
    channels = list_channels.sync(client=client, x_workspace_id=workspace_id)
    unknown = get_channel.sync_detailed("ch_00000000", client=client, x_workspace_id=workspace_id)
    retried = retry_delivery.sync_detailed(given["exhausted"], client=client, x_workspace_id=workspace_id)
    refused = retry_delivery.sync_detailed(given["delivered"], client=client, x_workspace_id=workspace_id)
    print(
        json.dumps(
            {
                "workspace": workspace.to_dict(),
                "channels": [channel.to_dict() for channel in channels.channels],
                "pages": delivery_pages(),
                "unknown": error_of(unknown),
                "retried": {"statusCode": int(retried.status_code), **retried.parsed.to_dict()},
                "refused": error_of(refused),
            }
        )
    )
stranger = AuthenticatedClient(base_url=given["baseUrl"], token="wrong")
assert error_of(list_channels.sync_detailed(client=stranger, x_workspace_id=workspace_id))["code"] == "AUTH_REQUIRED"
