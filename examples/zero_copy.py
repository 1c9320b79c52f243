"""The arrays of a batch in PyTorch and JAX without a copy: what a step writes is what the tensors hold.

Try it: python examples/zero_copy.py, with torch or jax installed. Arrays that `Batch.buffers` makes begin at a multiple
of 64 bytes, which JAX asks for. JAX takes arrays for constant: use what a step wrote before the next one, or copy it.
"""

from importlib.util import find_spec

from franchise.envs import Batch


def check_torch(batch, into):
    import torch

    seen, masks = torch.from_numpy(into.observations), torch.from_numpy(into.masks)
    assert seen.data_ptr() == into.observations.ctypes.data
    batch.step(batch.random_actions(), into)
    assert (seen.numpy() == into.observations).all()
    chances = torch.zeros(batch.n, batch.actions).masked_fill(~masks, -torch.inf).softmax(1)
    batch.step(chances.multinomial(1)[:, 0].numpy(), into)
    print("torch shares the memory of the batch")


def check_jax(batch, into):
    import jax

    seen, masks = jax.numpy.from_dlpack(into.observations), jax.numpy.from_dlpack(into.masks)
    assert seen.unsafe_buffer_pointer() == into.observations.ctypes.data
    logits = jax.numpy.where(masks, 0.0, -jax.numpy.inf)
    actions = jax.random.categorical(jax.random.PRNGKey(0), logits)
    batch.step(actions.__array__(), into)
    print("JAX shares the memory of the batch")


def main() -> None:
    batch = Batch(n=256, players=4)
    into = batch.buffers("observations", "masks")
    batch.reset(into)
    for library, check in (("torch", check_torch), ("jax", check_jax)):
        if find_spec(library):
            check(batch, into)
        else:
            print(f"{library} is not installed")
    batch.close()


if __name__ == "__main__":
    main()
