"""The collections of an index in a cluster, and the aliases by which they are found.

An index NAME is two aliases, NAME and NAME.state, of the collections NAME.IDENTITY and
NAME.IDENTITY.state. A rebuild fills new collections, and one change of both aliases publishes it.
"""

from collections.abc import Sequence

from qdrant_client import QdrantClient, models

from dragoman.cluster.connection import Connection, MissingCollection
from dragoman.cluster.settings import ClusterSettings, VectorQuantization
from dragoman.errors import ConfigError
from dragoman.indexes.spaces import Space, SpaceKind

STATE = ".state"
MOST_STATE_REPLICAS = 3
CREATE_SECONDS = 60


def collection_name(name: str, identity: str) -> str:
    """The collection of one build."""
    return f"{name}.{identity[:12]}"


def current_collection(connection: Connection) -> str | None:
    """The collection that the alias of the index names; None where there is none."""
    name = connection.address.name
    aliases = connection.read(lambda client: client.get_aliases()).aliases
    return next((one.collection_name for one in aliases if one.alias_name == name), None)


def create_collections(connection: Connection, collection: str, spaces: Sequence[Space]) -> None:
    """Create the collections of a build, unless a build that was begun has them."""
    settings = connection.settings

    def create(client: QdrantClient) -> None:
        nodes = enough_nodes(client, settings)
        if not client.collection_exists(collection):
            client.create_collection(
                collection,
                vectors_config=_vectors(spaces, settings),
                sparse_vectors_config={
                    space.name: models.SparseVectorParams()
                    for space in spaces
                    if space.kind is SpaceKind.COUNTS
                },
                shard_number=settings.shards,
                replication_factor=settings.replication,
                write_consistency_factor=settings.write_factor,
                on_disk_payload=True,
                optimizers_config=models.OptimizersConfigDiff(
                    indexing_threshold=settings.graph_from_kilobytes
                ),
                quantization_config=vector_quantization(settings.quantization),
                timeout=CREATE_SECONDS,
            )
        for field, kind in _INDEXED.items():
            client.create_payload_index(collection, field, kind, wait=True)
        if not client.collection_exists(collection + STATE):
            replicas = min(MOST_STATE_REPLICAS, nodes)
            client.create_collection(
                collection + STATE,
                vectors_config={},
                shard_number=1,
                replication_factor=replicas,
                write_consistency_factor=replicas // 2 + 1,
                on_disk_payload=True,
                timeout=CREATE_SECONDS,
            )
        client.create_payload_index(
            collection + STATE, "blob", models.PayloadSchemaType.KEYWORD, wait=True
        )

    connection.write(create)


_INDEXED = {
    "language": models.PayloadSchemaType.KEYWORD,
    "version": models.PayloadSchemaType.INTEGER,
    "fields[].name": models.PayloadSchemaType.KEYWORD,
    "fields[].text": models.PayloadSchemaType.KEYWORD,
    "fields[].number": models.PayloadSchemaType.FLOAT,
}


def _vectors(spaces: Sequence[Space], settings: ClusterSettings) -> dict[str, models.VectorParams]:
    return {
        space.name: models.VectorParams(
            size=space.size,
            distance=models.Distance.DOT,
            datatype=models.Datatype.FLOAT16,
            on_disk=settings.on_disk,
            multivector_config=models.MultiVectorConfig(
                comparator=models.MultiVectorComparator.MAX_SIM
            ),
            hnsw_config=models.HnswConfigDiff(
                m=settings.graph_links, ef_construct=settings.graph_build_width
            ),
        )
        for space in spaces
        if space.kind is SpaceKind.ROWS
    }


def vector_quantization(kind: VectorQuantization) -> models.QuantizationConfig | None:
    """How rows are compressed; None where they are not."""
    if kind is VectorQuantization.SCALAR:
        scalar = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True)
        return models.ScalarQuantization(scalar=scalar)
    if kind is VectorQuantization.BINARY:
        return models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True))
    return None


def peers(client: QdrantClient) -> int:
    """How many nodes the cluster has; 1 where it is a single server."""
    status = client.cluster_status()
    return max(1, len(getattr(status, "peers", None) or {}))


def enough_nodes(client: QdrantClient, settings: ClusterSettings) -> int:
    """How many nodes there are; refused where the settings ask for more copies."""
    nodes = peers(client)
    if 1 < nodes < settings.replication:  # a single server has one copy, whatever is asked
        raise ConfigError(
            f"replication must be at most {nodes}, the number of nodes, got {settings.replication}"
        )
    return nodes


def publish(connection: Connection, collection: str) -> str | None:
    """Make a build the current one, at one moment; returns the one before."""
    name, before = connection.address.name, current_collection(connection)
    operations: list[models.AliasOperations] = []
    for alias, target in ((name, collection), (name + STATE, collection + STATE)):
        if before is not None:
            operations.append(
                models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias))
            )
        created = models.CreateAlias(collection_name=target, alias_name=alias)
        operations.append(models.CreateAliasOperation(create_alias=created))
    connection.write(lambda client: client.update_collection_aliases(operations))
    return before if before != collection else None


def remove_collections(connection: Connection, collection: str) -> None:
    """Remove the collections of a build."""
    for one in (collection, collection + STATE):
        try:
            connection.write(lambda client, name=one: client.delete_collection(name))  # type: ignore[misc]
        except MissingCollection:
            continue
